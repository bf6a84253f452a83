"""The placements of ping_pong, on node managers that say which host they are on."""

import json
import unittest

from distbench.cli import daemons
from test_builder.builder_testing import OK, BuilderTest

SWEEP = ['parameter_sweep', 'placement', 'same_process,same_host,other_host']
CONFIG = 'ping_pong:tcp:pair_count=2:warmup_iterations=10'


class PlacementTest(BuilderTest):
    def cluster_of_hosts(self, *hosts):
        """Node i, a process of its own, says that it is on hosts[i]."""
        address = self.daemon('test_sequencer').ready_line.split()[-1]
        for host in hosts:
            self.daemon('node_manager', f'host={host}', f'--test_sequencer={address}')
        return address

    def nodes_by_instance(self, placement):
        path, = self.directory.glob(f'*-{placement}.pb.gz')
        exported = daemons.run('export', f'--infile={path}', '--format=json')
        test, = json.loads(exported.stdout)['tests']
        self.assertGreater(test['counts']['measured_successes'], 0)
        self.assertEqual(test['counts']['measured_failures'], 0)
        return {instance: node['name'] for node in test['nodes']
                for instance in node.get('instances', [])}

    def test_one_sweep_compares_placements(self):
        hosts = {f'node{i}': host for i, host in enumerate('aaaabb')}
        finished = self.finish('-s', self.cluster_of_hosts(*hosts.values()), '-o', self.directory,
                               '-t', '0.2', *SWEEP, CONFIG)
        self.assertEqual(finished.returncode, OK, finished.stderr)
        for pair in '01':
            bouncer, mirror = f'bouncer/{pair}', f'mirror/{pair}'
            nodes = self.nodes_by_instance('same_process')
            self.assertEqual(nodes[bouncer], nodes[mirror])
            nodes = self.nodes_by_instance('same_host')
            self.assertNotEqual(nodes[bouncer], nodes[mirror])
            self.assertEqual((hosts[nodes[bouncer]], hosts[nodes[mirror]]), ('a', 'a'))
            nodes = self.nodes_by_instance('other_host')
            self.assertEqual((hosts[nodes[bouncer]], hosts[nodes[mirror]]), ('a', 'b'))

    def test_a_host_that_is_missing_is_an_error_that_says_so(self):
        finished = self.finish('-s', self.cluster_of_hosts('a', 'a'), '-o', self.directory,
                               '-t', '0.2', 'ping_pong:tcp:placement=other_host')
        self.assertNotEqual(finished.returncode, OK)
        self.assertIn('mirror/0', finished.stderr)
        self.assertIn('host', finished.stderr)


if __name__ == '__main__':
    unittest.main()
