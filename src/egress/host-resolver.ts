import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { EgressError } from './egress-error.js';

/** Milliseconds that one DNS query may take before it is asked again, and how often it is asked. */
const QUERY_TIMEOUT_MS = 1500;
const QUERY_TRIES = 2;

/**
 * Finds the addresses of customers' hosts by asking DNS servers itself. The system's own lookup is not used: it runs
 * on the few threads that files and ciphers share, where one customer's silent DNS server would stop everybody. So
 * neither `/etc/hosts` nor search domains count, which is right for names that have to be public.
 */
export class HostResolver {
  private readonly resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });

  /** @param servers `address:port` of the servers to ask instead of the system's */
  constructor(servers?: readonly string[]) {
    if (servers !== undefined) this.resolver.setServers(servers);
  }

  /** Gives up the queries under way, which would otherwise keep the process from ending. */
  cancel(): void {
    this.resolver.cancel();
  }

  /**
   * All IPv4 and IPv6 addresses of `host`; never none.
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
