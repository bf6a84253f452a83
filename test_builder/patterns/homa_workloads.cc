#include "test_builder/patterns/homa_workloads.h"

#include <cstddef>

namespace distbench {
namespace {

constexpr SizePoint kW1[] = {{7, 0},
                             {8, 0.31094},
                             {10, 0.32768},
                             {11, 0.41757},
                             {13, 0.42175},
                             {14, 0.44155},
                             {15, 0.47},
                             {20, 0.484111},
                             {25, 0.495209},
                             {32, 0.510462},
                             {41, 0.5314},
                             {50, 0.547846},
                             {63, 0.573141},
                             {79, 0.602446},
                             {100, 0.635723},
                             {127, 0.672612},
                             {161, 0.712367},
                             {203, 0.753825},
                             {257, 0.795465},
                             {324, 0.835565},
                             {410, 0.872441},
                             {518, 0.904717},
                             {655, 0.931546},
                             {827, 0.952706},
                             {1046, 0.96855},
                             {1321, 0.979832},
                             {1669, 0.987495},
                             {2109, 0.99248},
                             {2665, 0.995599},
                             {3367, 0.997484},
                             {4255, 0.99859},
                             {5376, 0.999224},
                             {6792, 0.999578},
                             {8582, 0.999774},
                             {10843, 0.99988},
                             {13700, 0.9999366},
                             {17309, 0.9999668},
                             {21869, 0.9999827},
                             {27631, 0.999991},
                             {34911, 0.9999953},
                             {44109, 0.9999976},
                             {60838, 0.999999},
                             {100000, 1}};

constexpr SizePoint kW2[] = {{7, 0},
                             {8, 0.170108},
                             {32, 0.189008},
                             {40, 0.243979},
                             {49, 0.285207},
                             {64, 0.326436},
                             {128, 0.341704},
                             {160, 0.390557},
                             {197, 0.427199},
                             {256, 0.46384},
                             {284, 0.553152},
                             {320, 0.642464},
                             {366, 0.731776},
                             {427, 0.821088},
                             {512, 0.910401},
                             {640, 0.929484},
                             {788, 0.943797},
                             {1024, 0.95811},
                             {1365, 0.96956},
                             {2048, 0.981011},
                             {2731, 0.988167},
                             {4096, 0.995324},
                             {5461, 0.996874},
                             {8192, 0.998425},
                             {16384, 0.998902},
                             {32768, 0.99914},
                             {65536, 0.999349},
                             {87381, 0.99961},
                             {131072, 0.999871},
                             {174763, 0.9999231},
                             {262144, 0.9999752},
                             {524288, 0.9999827},
                             {912974, 0.9999913},
                             {1644453, 0.9999965},
                             {2243665, 0.9999983},
                             {3529904, 1}};

constexpr SizePoint kW3[] = {{7, 0},
                             {8, 0.064883},
                             {32, 0.097324},
                             {46, 0.132092},
                             {64, 0.155271},
                             {85, 0.253422},
                             {128, 0.351573},
                             {171, 0.424737},
                             {228, 0.47961},
                             {256, 0.497901},
                             {296, 0.576179},
                             {352, 0.654457},
                             {433, 0.732736},
                             {512, 0.784921},
                             {623, 0.812878},
                             {755, 0.835243},
                             {1024, 0.8632},
                             {1365, 0.88603},
                             {2048, 0.908862},
                             {2731, 0.921908},
                             {4096, 0.934955},
                             {5403, 0.949158},
                             {8192, 0.964309},
                             {10663, 0.973756},
                             {13171, 0.979722},
                             {16384, 0.984694},
                             {23156, 0.988033},
                             {32768, 0.990402},
                             {44772, 0.992182},
                             {65536, 0.993256},
                             {87381, 0.995192},
                             {110247, 0.996397},
                             {131072, 0.997129},
                             {174763, 0.997791},
                             {262144, 0.998453},
                             {317060, 0.998815},
                             {393216, 0.99915},
                             {534663, 0.999508},
                             {701172, 0.999629},
                             {999461, 0.999745},
                             {1519358, 0.999839},
                             {2113675, 0.999889},
                             {3076362, 0.999929},
                             {4883570, 0.999962},
                             {8231141, 0.999985},
                             {15158197, 1}};

constexpr SizePoint kW4[] = {
    {50, 0},           {92, 0.0074},       {217, 0.0149},     {271, 0.0409},    {300, 0.052},
    {326, 0.1375},     {376, 0.2026},      {425, 0.223},      {480, 0.2639},    {600, 0.4591},
    {679, 0.5167},     {737, 0.552},       {800, 0.5762},     {885, 0.5912},    {1042, 0.6097},
    {1277, 0.6282},    {1413, 0.6394},     {1534, 0.6468},    {1664, 0.6673},   {2214, 0.6747},
    {3396, 0.684},     {5210, 0.6933},     {7830, 0.7082},    {15816, 0.7147},  {31946, 0.7212},
    {36844, 0.7305},   {39973, 0.7398},    {44260, 0.7584},   {47050, 0.7788},  {51046, 0.816},
    {62583, 0.8234},   {70722, 0.8327},    {75180, 0.842},    {81565, 0.8717},  {102058, 0.8885},
    {115331, 0.8978},  {133013, 0.907},    {156563, 0.9164},  {184284, 0.9257}, {212546, 0.9349},
    {240177, 0.9442},  {288520, 0.9535},   {368444, 0.95815}, {470507, 0.9628}, {736642, 0.9684},
    {940700, 0.9721},  {1290088, 0.97675}, {1769244, 0.9814}, {2169118, 0.987}, {3997329, 0.9922},
    {6322443, 0.9961}, {10000000, 1}};

constexpr SizePoint kW5[] = {{1430, 0},      {8580, 0.15},   {19110, 0.2},   {27930, 0.3},
                             {48510, 0.4},   {77910, 0.53},  {195510, 0.6},  {980490, 0.7},
                             {1959510, 0.8}, {4899510, 0.9}, {9800490, 0.9}, {29400000, 1}};

void AddPoint(int64_t size_bytes, double at_most, DistributionConfig* sizes) {
  CdfPoint* const point = sizes->add_cdf_points();
  point->set_value(size_bytes);
  point->set_cdf(static_cast<float>(at_most));
}

// The fraction of messages below `size_bytes`, which lies between two points.
double AtMost(int64_t size_bytes, const SizePoint& below, const SizePoint& above) {
  const auto part = static_cast<double>(size_bytes - below.size_bytes);
  const auto whole = static_cast<double>(above.size_bytes - below.size_bytes);
  return below.at_most + (above.at_most - below.at_most) * part / whole;
}

}  // namespace

absl::Span<const SizePoint> HomaWorkload(absl::string_view name) {
  if (name == "w1") return kW1;
  if (name == "w2") return kW2;
  if (name == "w3") return kW3;
  if (name == "w4") return kW4;
  if (name == "w5") return kW5;
  return {};
}

DistributionConfig CutAt(int64_t max_bytes, absl::Span<const SizePoint> points) {
  DistributionConfig sizes;
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].size_bytes < max_bytes) {
      AddPoint(points[i].size_bytes, points[i].at_most, &sizes);
      continue;
    }
    // An interval of the one size that all larger ones became.
    const bool is_beyond_first = i > 0 && points[i - 1].size_bytes < max_bytes - 1;
    if (is_beyond_first) {
      AddPoint(max_bytes - 1, AtMost(max_bytes - 1, points[i - 1], points[i]), &sizes);
    }
    AddPoint(max_bytes, 1, &sizes);
    break;
  }
  return sizes;
}

double MeanSizeBytes(const DistributionConfig& sizes) {
  double mean = 0;
  for (int i = 0; i < sizes.cdf_points_size(); ++i) {
    const CdfPoint& point = sizes.cdf_points(i);
    if (i == 0) {
      mean += double{point.cdf()} * static_cast<double>(point.value());
      continue;
    }
    const CdfPoint& before = sizes.cdf_points(i - 1);
    const int64_t lowest = before.value() + (i > 1 ? 1 : 0);
    mean += (double{point.cdf()} - double{before.cdf()}) *
            static_cast<double>(lowest + point.value()) / 2;
  }
  return mean;
}

}  // namespace distbench
