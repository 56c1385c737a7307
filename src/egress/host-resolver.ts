import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { EgressError } from './egress-error.js';

/** Milliseconds before a DNS query is retried, and the number of tries. */
const QUERY_TIMEOUT_MS = 1500;
const QUERY_TRIES = 2;

/**
 * Resolves customers' host names by querying DNS servers directly. The system resolver runs in the small thread pool
 * that file access and crypto share, so one customer's unresponsive DNS server would block everyone. As a result
 * `/etc/hosts` and search domains are ignored, which is right for names that must be public.
 */
export class HostResolver {
  private readonly resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });

  /** @param servers `address:port` of the DNS servers; the system's by default */
  constructor(servers?: readonly string[]) {
    if (servers !== undefined) this.resolver.setServers(servers);
  }

  /** Cancels pending queries, which would otherwise keep the process alive. */
  cancel(): void {
    this.resolver.cancel();
  }

  /**
   * All IPv4 and IPv6 addresses of `host`; at least one.
   *
   * @throws EgressError `dns`
   */
  async addressesOf(host: string): Promise<LookupAddress[]> {
    const [four, six] = await Promise.allSettled([this.resolver.resolve4(host), this.resolver.resolve6(host)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    const faults = [four, six].map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
    const unknown = faults.every((fault) => fault === undefined || /^(ENOTFOUND|ENODATA)$/.test(String(fault.code)));
    throw new EgressError(
      'dns',
      unknown ? 'has a host name that does not exist' : 'has a host name that could not be resolved',
      faults[0],
    );
  }
}
