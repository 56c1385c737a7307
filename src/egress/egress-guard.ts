import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { OnApplicationShutdown } from '@nestjs/common';
import { endsWithin } from '../values/ends-within.js';
import { type AddressRange, isPublic, isWithin, parseRanges } from './address-rules.js';
import { EgressError } from './egress-error.js';
import type { HostAddresses, HostResolver } from './host-resolver.js';
import { bareHost, isLocalhost, isWebPort, parseEgressUrl, portOf } from './url-rules.js';

/** What a caller requires of customers' URLs. */
export interface EgressPolicy {
  /** Whether https is required, except for addresses in `EGRESS_ALLOW` (webhook endpoints). */
  readonly httpsOnly?: boolean;
}

/**
 * Which addresses a connection may go to: public ones and those in `EGRESS_ALLOW`, only the latter, or any, for the one
 * origin that the operator trusts.
 */
export type AddressScope = 'public' | 'excepted' | 'any';

interface Destination {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

const LOCALHOST: readonly LookupAddress[] = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
];

/** Milliseconds that {@link EgressGuard.vet} waits for DNS before it leaves the check to the connection. */
const VET_TIMEOUT_MS = 1000;

/**
 * Decides where customers' URLs may lead. A host is refused if *any* of its addresses is. The check happens at
 * connection time, on the very addresses that the socket then uses, so DNS rebinding achieves nothing. Addresses in
 * `EGRESS_ALLOW` are allowed on any port, and over http.
 */
export class EgressGuard implements OnApplicationShutdown {
  private readonly allowed: readonly AddressRange[];

  /**
   * @param allow CIDRs of `EGRESS_ALLOW`
   * @param trusted a URL of the operator's, whose origin may be anywhere
   */
  constructor(
    allow: readonly string[],
    private readonly resolver: HostResolver,
    private readonly trusted: URL | null = null,
  ) {
    this.allowed = parseRanges(allow);
  }

  /**
   * Parses `raw` and runs every check that needs no DNS lookup.
   *
   * @throws EgressError `bad_url`, `forbidden_address` or `forbidden_port`
   */
  inspect(raw: string, policy: EgressPolicy = {}): URL {
    const url = parseEgressUrl(raw);
    if (this.isTrusted(url)) return url;
    const addresses = knownAddresses(bareHost(url.hostname));
    if (addresses !== null) this.admit(addresses, url, policy);
    // A host name may resolve to an address in EGRESS_ALLOW, unless that is empty.
    else if (this.allowed.length === 0) refuseUnlessPublic(url, policy);
    return url;
  }

  /**
   * As {@link inspect}, but also resolves the host name, so that the customer sees a forbidden address when they save
   * the URL. A name that does not resolve (yet) passes: the check at connection time is what counts.
   *
   * @throws EgressError as {@link inspect}
   */
  async vet(raw: string, policy: EgressPolicy = {}): Promise<URL> {
    const url = this.inspect(raw, policy);
    const host = bareHost(url.hostname);
    if (knownAddresses(host) !== null) return url;
    const addresses = await this.resolveSoon(host);
    if (addresses.length === 0) refuseUnlessPublic(url, policy);
    else this.admit(addresses, url, policy);
    return url;
  }

  /** Which addresses `destination` may lead to under `policy`. */
  scopeOf(destination: Destination, { httpsOnly = false }: EgressPolicy): AddressScope {
    if (this.isTrusted(destination)) return 'any';
    const insecure = httpsOnly && destination.protocol !== 'https:';
    return insecure || !isWebPort(portOf(destination)) ? 'excepted' : 'public';
  }

  /**
   * Tells `onChange` the addresses that a socket may connect to for `host`, a name or a literal address: what is known
   * now, and each time that more is. Once one that has arrived is refused, all are: `fault` says so.
   *
   * @returns ends that
   */
  follow(host: string, scope: AddressScope, onChange: (known: HostAddresses) => void): () => void {
    const tell = (known: HostAddresses): void => {
      const { addresses } = known;
      const admitted = addresses.filter(({ address }) => this.admits(address, scope));
      if (admitted.length >= minAdmitted(host, addresses)) onChange({ ...known, addresses: admitted });
      else onChange({ addresses: [], expected: [], isComplete: true, fault: refusalOf(addresses) });
    };
    const addresses = knownAddresses(host);
    if (addresses === null) return this.resolver.follow(host, tell);
    tell({ addresses, expected: [], isComplete: true, fault: null });
    return () => undefined;
  }

  onApplicationShutdown(): void {
    this.resolver.cancel();
  }

  private isTrusted(destination: Destination): boolean {
    const { trusted } = this;
    return (
      trusted !== null &&
      destination.protocol === trusted.protocol &&
      bareHost(destination.hostname) === bareHost(trusted.hostname) &&
      portOf(destination) === portOf(trusted)
    );
  }

  private admits(address: string, scope: AddressScope): boolean {
    return scope === 'any' || isWithin(address, this.allowed) || (scope === 'public' && isPublic(address));
  }

  private admit(addresses: readonly LookupAddress[], url: URL, policy: EgressPolicy): void {
    const scope = this.scopeOf(url, policy);
    const admitted = addresses.filter(({ address }) => this.admits(address, scope));
    if (admitted.length >= minAdmitted(url.hostname, addresses)) return;
    if (!addresses.every(({ address }) => this.admits(address, 'public'))) throw forbiddenAddress();
    refuseUnlessPublic(url, policy);
  }

  /** What arrives within {@link VET_TIMEOUT_MS}. */
  private async resolveSoon(host: string): Promise<readonly LookupAddress[]> {
    let arrived: readonly LookupAddress[] = [];
    let unfollow = (): void => undefined;
    const complete = new Promise<void>((resolve) => {
      unfollow = this.resolver.follow(host, ({ addresses, isComplete }) => {
        arrived = addresses;
        if (isComplete) resolve();
      });
    });
    await endsWithin(complete, VET_TIMEOUT_MS);
    unfollow();
    return arrived;
  }
}

/** The same message for every address, so that it reveals nothing about our network. */
const forbiddenAddress = (): EgressError =>
  new EgressError('forbidden_address', 'leads to an address that is not public');

const refusalOf = (addresses: readonly LookupAddress[]): EgressError =>
  addresses.every(({ address }) => isPublic(address)) ? notAWebPort() : forbiddenAddress();

/** A public address where only one in `EGRESS_ALLOW` is acceptable. */
const notAWebPort = (): EgressError =>
  new EgressError('forbidden_port', 'must use https and a port that web servers use');

/** The addresses of a host that needs no DNS lookup; null for any other name. */
function knownAddresses(host: string): readonly LookupAddress[] | null {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  return isLocalhost(host) ? LOCALHOST : null;
}

/**
 * How many addresses must be admitted: all of them, except for `localhost`, which we resolve ourselves: one is enough.
 */
const minAdmitted = (host: string, addresses: readonly LookupAddress[]): number =>
  isLocalhost(host) ? 1 : addresses.length;

/** The rules for public addresses: https where the policy requires it, and web ports only. */
function refuseUnlessPublic(url: URL, { httpsOnly = false }: EgressPolicy): void {
  if (httpsOnly && url.protocol !== 'https:') throw new EgressError('bad_url', 'must start with https://');
  const port = portOf(url);
  if (!isWebPort(port)) throw new EgressError('forbidden_port', `must not use port ${port}`);
}
