import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * Reads a histogram log and prints a line for each histogram in it: tag, start and end in ms since
 * the epoch, number of values N, least value, and for each quantile q given the value at position
 * floor(N * q) of the sorted values, at most the last one.
 *
 * <p>java LogQuantiles LOG PARTS_PER_MILLION...
 */
public final class LogQuantiles {
  public static void main(String[] args) throws java.io.IOException {
    HistogramLogReader log = new HistogramLogReader(args[0]);
    EncodableHistogram next;
    while ((next = log.nextIntervalHistogram()) != null) {
      Histogram histogram = (Histogram) next;
      StringBuilder line = new StringBuilder();
      line.append(histogram.getTag())
          .append(' ').append(histogram.getStartTimeStamp())
          .append(' ').append(histogram.getEndTimeStamp())
          .append(' ').append(histogram.getTotalCount())
          .append(' ').append(histogram.getMinValue());
      for (int i = 1; i < args.length; ++i) {
        line.append(' ').append(valueAt(histogram, Long.parseLong(args[i])));
      }
      System.out.println(line);
    }
  }

  // HdrHistogram counts positions from 1.
  private static long valueAt(Histogram histogram, long partsPerMillion) {
    long count = histogram.getTotalCount();
    long position = Math.min(count * partsPerMillion / 1_000_000, count - 1);
    return histogram.getValueAtPercentile(100.0 * (position + 1) / count);
  }
}
