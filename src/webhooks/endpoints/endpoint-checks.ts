import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller.js';
import { EVERY_SCOPE, lackedScope } from '../../auth/scopes.js';
import type { Tx } from '../../database/unit-of-work.js';
import { EgressGuard } from '../../egress/egress-guard.js';
import { canonicalUrl } from '../../egress/url-rules.js';
import { forbidden } from '../../errors/domain-error.js';
import { Manifest } from '../../manifest/manifest.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { unusableUrl } from '../webhooks.errors.js';
import { findPendingKinds, findReplay } from './endpoint-traffic.queries.js';

/**
 * Decides where deliveries may go, and whether a key may have events sent somewhere: whoever decides where an endpoint
 * is, how it logs in and what is sent there reads what the events carry.
 */
@Injectable()
export class EndpointChecks {
  constructor(
    private readonly egress: EgressGuard,
    private readonly manifest: Manifest,
  ) {}

  /** @returns the URL in its canonical spelling @throws DomainError `bad_request` for one that nothing may be sent to */
  async vetUrl(url: string): Promise<string> {
    try {
      const canonical = canonicalUrl(url);
      await this.egress.vet(canonical, { httpsOnly: true });
      return canonical;
    } catch (error) {
      throw unusableUrl(error);
    }
  }

  /** Whether a key with `scopes` may read what an event of this kind carries. */
  mayRead(scopes: ReadonlySet<string>, kind: string): boolean {
    return lackedScope(scopes, [this.scopeOf(kind)]) === null;
  }

  /** @throws DomainError `forbidden` unless a key with `scopes` may read what these events carry */
  requireReading(scopes: ReadonlySet<string>, kinds: readonly string[]): void {
    const beyond = kinds.find((kind) => !this.mayRead(scopes, kind));
    if (beyond === undefined) return;
    throw forbidden(`the API key lacks the scope ${this.scopeOf(beyond)}, which the event ${beyond} needs`);
  }

  /**
   * Makes sure that a key may read everything that an endpoint will get, before it decides where that goes: what the
   * endpoint subscribes to, before and after the change, and what is still to be sent to it from before.
   *
   * @param added what it will subscribe to
   * @throws DomainError `forbidden`
   */
  async requireReach(
    { accountId, scopes }: Caller,
    { id, subscribedEvents }: WebhookEndpoint,
    added: readonly string[],
    tx: Tx,
  ): Promise<void> {
    this.requireReading(scopes, [...subscribedEvents, ...added]);
    // First the replay: what it creates until the second query is among its kinds.
    const replay = await findReplay(accountId, id, tx);
    if (replay?.finishedAt === null) this.requireReading(scopes, replay.kinds);
    // Many deliveries may be pending, and most keys have every scope.
    if (!scopes.has(EVERY_SCOPE)) this.requireReading(scopes, await findPendingKinds(accountId, id, tx));
  }

  /** `*`, and a kind that no room declares any more, may carry anything: only a key with every scope may have it. */
  private scopeOf(kind: string): string {
    return this.manifest.events.get(kind)?.scope ?? EVERY_SCOPE;
  }
}
