"""C++ code from .proto files by the machine's protoc.

    proto_cc_library(name, srcs, deps)   messages: NAME.pb.h
    grpc_cc_library(name, srcs, deps)    messages and services: NAME.pb.h, NAME.grpc.pb.h

`deps` are targets of the same two macros. Imports are relative to the workspace root.
"""

ProtoSources = provider(
    doc = "The .proto files of a target and of all that it imports.",
    fields = ["files"],
)

def _generate_impl(ctx):
    sources = depset(ctx.files.srcs, transitive = [d[ProtoSources].files for d in ctx.attr.deps])
    extensions = [".pb.h", ".pb.cc"] + ([".grpc.pb.h", ".grpc.pb.cc"] if ctx.attr.services else [])
    generated = []
    for src in ctx.files.srcs:
        stem = src.basename[:-len(".proto")]
        outputs = [ctx.actions.declare_file(stem + e) for e in extensions]
        args = ctx.actions.args()
        args.add("-I.")
        args.add("--cpp_out=" + ctx.bin_dir.path)
        tools = [ctx.file._protoc]
        if ctx.attr.services:
            args.add("--plugin=protoc-gen-grpc=" + ctx.file._grpc_plugin.path)
            args.add("--grpc_out=" + ctx.bin_dir.path)
            tools.append(ctx.file._grpc_plugin)
        args.add(src.path)
        ctx.actions.run(
            executable = ctx.file._protoc,
            arguments = [args],
            inputs = sources,
            tools = tools,
            outputs = outputs,
            mnemonic = "Protoc",
            progress_message = "Generating C++ from %s" % src.short_path,
        )
        generated += outputs
    return [
        DefaultInfo(files = depset(generated)),
        ProtoSources(files = sources),
        OutputGroupInfo(
            srcs = depset([f for f in generated if f.extension == "cc"]),
            hdrs = depset([f for f in generated if f.extension == "h"]),
        ),
    ]

_generate = rule(
    implementation = _generate_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".proto"]),
        "deps": attr.label_list(providers = [ProtoSources]),
        "services": attr.bool(),
        "_protoc": attr.label(
            default = "@system//:bin/protoc",
            allow_single_file = True,
            cfg = "host",
        ),
        "_grpc_plugin": attr.label(
            default = "@system//:bin/grpc_cpp_plugin",
            allow_single_file = True,
            cfg = "host",
        ),
    },
)

def _library(name, srcs, deps, services, runtime, visibility):
    _generate(
        name = name + "_generated",
        srcs = srcs,
        deps = [d + "_generated" for d in deps],
        services = services,
        visibility = visibility,
    )
    for group in ("srcs", "hdrs"):
        native.filegroup(
            name = name + "_" + group,
            srcs = [name + "_generated"],
            output_group = group,
        )
    native.cc_library(
        name = name,
        srcs = [name + "_srcs"],
        hdrs = [name + "_hdrs"],
        deps = deps + [runtime],
        # Descriptors register themselves; a static linker would drop what nothing refers to.
        alwayslink = True,
        visibility = visibility,
    )

def proto_cc_library(name, srcs, deps = [], visibility = None):
    _library(name, srcs, deps, False, "@system//:protobuf", visibility)

def grpc_cc_library(name, srcs, deps = [], visibility = None):
    _library(name, srcs, deps, True, "@system//:grpc", visibility)
