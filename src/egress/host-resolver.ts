import type { LookupAddress, RecordWithTtl } from 'node:dns';
import { CANCELLED, NODATA, NOTFOUND, Resolver, TIMEOUT } from 'node:dns/promises';
import { EgressError } from './egress-error.js';

/** 4 for the A records of a name, 6 for its AAAA records. */
export type Family = 4 | 6;
const FAMILIES: readonly Family[] = [6, 4];

/** What is known of a host so far. */
export interface HostAddresses {
  readonly addresses: readonly LookupAddress[];
  /** The families that may arrive any moment: they were asked for, and have not been silent within the last minute. */
  readonly expected: readonly Family[];
  /** Whether no more will arrive. */
  readonly isComplete: boolean;
  /** Why the host is not connected to, once that is certain. */
  readonly fault: EgressError | null;
}

/** Milliseconds before a name server is asked again, and how often that is before it counts as silent. */
const QUERY_TIMEOUT_MS = 1000;
const QUERY_TRIES = 2;
/** Milliseconds for which nobody waits for a family that was silent. */
const SILENT_MS = 60_000;
/** The longest time that an answer is kept, in seconds. */
const MAX_TTL_S = 60;
/** Names that are remembered, and milliseconds after their last use. */
const MAX_NAMES = 10_000;
const REMEMBERED_MS = 2 * SILENT_MS;
/** Records of a family that a host may have. All are checked at each connection, and nobody has nearly as many. */
const MAX_RECORDS = 100;

/**
 * Resolves customers' host names by querying name servers directly. The system resolver runs in the small thread pool
 * that file access and crypto share, so one customer's unresponsive name server would block everyone. As a result
 * `/etc/hosts` and search domains are ignored, which is right for names that must be public.
 *
 * IPv4 and IPv6 addresses are asked for at once, and neither waits for the other. Answers are kept as long as they say,
 * but not longer than a minute.
 */
export class HostResolver {
  /** The most recently used last. */
  private readonly names = new Map<string, HostName>();

  /** @param resolver asks the system's name servers by default */
  constructor(private readonly resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })) {}

  /** Cancels pending queries, which would otherwise keep the process alive. */
  cancel(): void {
    this.resolver.cancel();
  }

  /**
   * Tells `onChange` what is known of `host`, now and each time that more is. A name server that is silent is asked as
   * long as somebody follows.
   *
   * @returns ends that
   */
  follow(host: string, onChange: (known: HostAddresses) => void): () => void {
    const name = this.names.get(host) ?? new HostName(host, this.resolver);
    this.names.delete(host);
    this.names.set(host, name);
    const usedAt = performance.now();
    name.usedAt = usedAt;
    for (const [oldest, other] of this.names) {
      if (this.names.size <= MAX_NAMES && usedAt - other.usedAt < REMEMBERED_MS) break;
      this.names.delete(oldest);
    }
    return name.follow(onChange);
  }
}

class HostName {
  /** By `performance.now()`. */
  usedAt = 0;
  private queries: readonly AddressQuery[] = [];
  /** When each family was last silent, by `performance.now()`. */
  private readonly silentAt = new Map<Family, number>();

  constructor(
    private readonly host: string,
    private readonly resolver: Resolver,
  ) {}

  follow(onChange: (known: HostAddresses) => void): () => void {
    const queries = this.upToDate();
    const tell = (): void => onChange(this.known(queries));
    for (const query of queries) query.listeners.add(tell);
    tell();
    return () => {
      for (const query of queries) query.listeners.delete(tell);
    };
  }

  /** The latest query of each family, made anew where its answer is too old. */
  private upToDate(): readonly AddressQuery[] {
    const now = performance.now();
    // That there are none of a family holds as long as what there is of the other.
    const hasAddresses = this.queries.some((query) => query.addresses.length > 0 && now < query.freshUntil);
    const mayStay = (query: AddressQuery): boolean =>
      !query.isAnswered || (query.addresses.length > 0 ? now < query.freshUntil : query.isEmpty && hasAddresses);
    this.queries = FAMILIES.map((family) => {
      const former = this.queries.find((query) => query.family === family);
      if (former !== undefined && mayStay(former)) return former;
      return new AddressQuery(this.host, family, this.resolver, (isSilent) => {
        if (isSilent) this.silentAt.set(family, performance.now());
        else this.silentAt.delete(family);
      });
    });
    return this.queries;
  }

  private known(queries: readonly AddressQuery[]): HostAddresses {
    const addresses = queries.flatMap((query) => query.addresses);
    const open = queries.filter((query) => !query.isAnswered);
    const now = performance.now();
    const expected = open
      .map(({ family }) => family)
      .filter((family) => now - (this.silentAt.get(family) ?? Number.NEGATIVE_INFINITY) >= SILENT_MS);
    const isComplete = open.length === 0;
    const isWithout = isComplete && addresses.length === 0;
    return { addresses, expected, isComplete, fault: refusalOf(queries) ?? (isWithout ? faultOf(queries) : null) };
  }
}

/** One question to the name servers, which has one answer. */
class AddressQuery {
  readonly listeners = new Set<() => void>();
  addresses: readonly LookupAddress[] = [];
  isAnswered = false;
  /** By `performance.now()`. */
  freshUntil = 0;
  fault: unknown = null;

  constructor(
    private readonly host: string,
    readonly family: Family,
    private readonly resolver: Resolver,
    private readonly onSilence: (isSilent: boolean) => void,
  ) {
    this.ask();
  }

  /** Whether it is certain that there are no addresses of this family. */
  get isEmpty(): boolean {
    return this.isAnswered && isUnknown(this.fault);
  }

  private ask(): void {
    const answer =
      this.family === 4
        ? this.resolver.resolve4(this.host, { ttl: true })
        : this.resolver.resolve6(this.host, { ttl: true });
    answer
      .then((records) => this.take(records))
      .then(
        () => this.answered(false),
        (fault: unknown) => {
          this.fault = fault;
          const isSilent = codeOf(fault) === TIMEOUT;
          if (!isSilent || this.listeners.size === 0) {
            this.answered(isSilent);
            return;
          }
          this.onSilence(true);
          this.ask();
          this.tell();
        },
      );
  }

  private take(records: readonly RecordWithTtl[]): void {
    if (records.length > MAX_RECORDS) throw new EgressError('dns', 'has a host name with too many addresses');
    const ttl = Math.min(MAX_TTL_S, ...records.map((record) => record.ttl));
    const addresses = new Set(records.map(({ address }) => address));
    this.freshUntil = performance.now() + ttl * 1000;
    this.fault = null;
    this.addresses = [...addresses].map((address) => ({ address, family: this.family }));
  }

  private answered(isSilent: boolean): void {
    this.isAnswered = true;
    if (codeOf(this.fault) !== CANCELLED) this.onSilence(isSilent);
    this.tell();
    this.listeners.clear();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

const codeOf = (fault: unknown): unknown => (fault as { readonly code?: unknown } | null)?.code;

const isUnknown = (fault: unknown): boolean => codeOf(fault) === NOTFOUND || codeOf(fault) === NODATA;

/** A fault of one family that is one of the host. */
const refusalOf = (queries: readonly AddressQuery[]): EgressError | null => {
  const fault = queries.find((query) => query.fault instanceof EgressError)?.fault;
  return fault instanceof EgressError ? fault : null;
};

const faultOf = (queries: readonly AddressQuery[]): EgressError =>
  new EgressError(
    'dns',
    queries.every((query) => query.isEmpty)
      ? 'has a host name that does not exist'
      : 'has a host name that could not be resolved',
    queries.find((query) => query.fault !== null)?.fault,
  );
