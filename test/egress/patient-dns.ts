import { Resolver } from 'node:dns/promises';
import { HostResolver } from '../../src/egress/host-resolver.js';
import type { DnsServer } from '../support/dns-server.js';

/** Longer than any test, milliseconds. */
const QUERY_TIMEOUT_MS = 600_000;

/**
 * A resolver that asks `dns` once and waits for the answer, which comes from the process of the tests and may take
 * longer there than the service waits.
 */
export function patientResolver(dns: DnsServer): HostResolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 1 });
  resolver.setServers([dns.address]);
  return new HostResolver(resolver);
}
