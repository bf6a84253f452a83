"""Clusters on this machine for experiments.py."""

import contextlib
import subprocess

from distbench.cli import daemons

NAMESPACE = 'distbench-b'
# Of the range for benchmarks, RFC 2544.
ADDRESS_A, ADDRESS_B = '198.18.0.1', '198.18.0.2'


@contextlib.contextmanager
def one_process(nodes):
    """Yields the address of a cluster in one process."""
    sequencer = daemons.Daemon('test_sequencer', '--port=0', f'--local_nodes={nodes}')
    try:
        yield sequencer.ready_line.split()[-1]
    finally:
        sequencer.close()


@contextlib.contextmanager
def two_hosts():
    """Yields the address of a cluster of three nodes, each a process: two say host=a, the third
    host=b, and is in a network namespace of its own."""
    with contextlib.ExitStack() as stack:
        make_namespace(stack)

        def start(mode, *arguments, bind, prefix=()):
            daemon = daemons.Daemon(mode, *arguments, '--port=0', f'--control_bind={bind}',
                                    prefix=prefix)
            stack.callback(daemon.close)
            return daemon

        sequencer = start('test_sequencer', bind=ADDRESS_A)
        address = f'{ADDRESS_A}:{sequencer.ready_line.rsplit(":", 1)[1]}'
        for host, bind, prefix in (
                ('a', ADDRESS_A, ()), ('a', ADDRESS_A, ()),
                ('b', ADDRESS_B, ('ip', 'netns', 'exec', NAMESPACE))):
            start('node_manager', f'host={host}', f'--test_sequencer={address}',
                  f'--data_bind={bind}', bind=bind, prefix=prefix)
        yield address


def make_namespace(stack):
    """Makes the namespace and its link to this one, until the stack is left."""
    ip('netns', 'add', NAMESPACE)
    stack.callback(ip, 'netns', 'delete', NAMESPACE)
    # The link goes away with the namespace.
    ip('link', 'add', 'distbench-a', 'type', 'veth', 'peer', 'name', NAMESPACE, 'netns', NAMESPACE)
    ip('address', 'add', f'{ADDRESS_A}/24', 'dev', 'distbench-a')
    ip('link', 'set', 'distbench-a', 'up')
    ip('-n', NAMESPACE, 'address', 'add', f'{ADDRESS_B}/24', 'dev', NAMESPACE)
    ip('-n', NAMESPACE, 'link', 'set', NAMESPACE, 'up')
    ip('-n', NAMESPACE, 'link', 'set', 'lo', 'up')


def ip(*arguments):
    subprocess.run(['ip', *arguments], check=True)
