import { Inject, Injectable } from '@nestjs/common';
import { lockAccount } from '../accounts/account.queries.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Caller } from '../auth/caller.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { SecretBox, type SecretPlace, UnreadableSecret } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId } from '../values/record-id.js';
import { DrainQueue } from './delivery/drain-queue.js';
import {
  countEndpoints,
  deleteEndpoint,
  findEndpoint,
  findEndpoints,
  insertEndpoint,
  lockEndpoint,
  updateEndpoint,
} from './endpoints/endpoint.queries.js';
import { EndpointChecks } from './endpoints/endpoint-checks.js';
import { headersPlace, type OwnHeaders } from './endpoints/endpoint-headers.js';
import {
  auditedSettings,
  changesOf,
  type EndpointSettings,
  HEALTHY,
  type NewEndpoint,
  onlyDisables,
  withDefaults,
} from './endpoints/endpoint-rules.js';
import {
  MAX_SIGNING_SECRETS,
  NO_REPLACED_SECRETS,
  newSigningSecret,
  rotated,
  secretPlace,
} from './endpoints/endpoint-secrets.js';
import { findReplay, type RecentDeliveries, recentDeliveries } from './endpoints/endpoint-traffic.queries.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import type { WebhookReplay } from './webhook-replay.entity.js';
import { endpointNotFound, tooManyEndpoints, tooManySecrets } from './webhooks.errors.js';
import { disabledEvent } from './webhooks.events.js';

/** An endpoint with its recent deliveries and latest replay. */
export interface EndpointOverview {
  readonly endpoint: WebhookEndpoint;
  readonly recent: RecentDeliveries;
  readonly replay: WebhookReplay | null;
}

/** An endpoint after a rotation, with its new secret in plain text. */
export interface RotatedSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * Manages webhook endpoints. It rejects URLs that deliveries must not go to, and never returns a secret except from a
 * rotation.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    private readonly checks: EndpointChecks,
    private readonly queue: DrainQueue,
    private readonly outbox: Outbox,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Registers an endpoint.
   *
   * @throws DomainError `forbidden` when the caller may not read what the events carry; `bad_request` for an unusable
   *   URL; `conflict` when another endpoint has the URL, or at the limit of endpoints
   */
  async register({ accountId, scopes }: Caller, settings: NewEndpoint): Promise<WebhookEndpoint> {
    const defaults = withDefaults(settings);
    this.checks.requireReading(scopes, defaults.subscribedEvents);
    const url = await this.checks.vetUrl(settings.url);
    const id = newRecordId();
    const endpoint = Object.assign(new WebhookEndpoint(), {
      ...defaults,
      accountId,
      id,
      url,
      isDuplicate: false,
      secret: this.seal(settings.secret ?? null, secretPlace(accountId, id)),
      ...NO_REPLACED_SECRETS,
      headers: this.sealHeaders(settings.headers ?? {}, accountId, id),
      headerNames: Object.keys(settings.headers ?? {}).sort(),
      status: 'active' as const,
      disabledReason: null,
      ...HEALTHY,
      deletedAt: null,
      createdAt: now(),
    });
    const { webhookEndpointLimit } = this.environment;
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      // Serialises concurrent registrations, so that together they cannot exceed the limit.
      await lockAccount(accountId, tx);
      if ((await countEndpoints(accountId, tx)) >= webhookEndpointLimit) throw tooManyEndpoints(webhookEndpointLimit);
      await insertEndpoint(accountId, endpoint, tx);
      const changes = auditedSettings({
        ...endpoint,
        secret: settings.secret ?? undefined,
        headers: endpoint.headers === null ? undefined : settings.headers,
      });
      await AuditLog.write(accountId, { action: 'webhook.created', subjectId: id, changes }, tx);
      await noteRecordOfKey(id, tx);
    });
    return endpoint;
  }

  list(accountId: string, page: Page): Promise<Paged<WebhookEndpoint>> {
    return findEndpoints(accountId, page, this.unitOfWork.reads(accountId));
  }

  /** @throws DomainError `not_found` */
  async find(accountId: string, endpointId: string): Promise<WebhookEndpoint> {
    const endpoint = await findEndpoint(accountId, endpointId, this.unitOfWork.reads(accountId));
    if (endpoint === null) throw endpointNotFound(endpointId);
    return endpoint;
  }

  /**
   * Updates the given settings; they apply from the next attempt on. While an endpoint is disabled, its deliveries stay
   * pending. They are sent when it is enabled again.
   *
   * @throws DomainError `not_found`; `forbidden` when the caller may not read what the endpoint gets, unless the change
   *   only disables it; `bad_request` for an unusable URL, or one of another origin without headers;
   *   `conflict` when another endpoint has the URL
   */
  async change(caller: Caller, endpointId: string, given: EndpointSettings): Promise<WebhookEndpoint> {
    const { accountId } = caller;
    // The DNS lookup must happen outside the transaction. Check the endpoint first, so that an unknown one gives 404.
    if (given.url !== undefined) await this.find(accountId, endpointId);
    const settings = given.url === undefined ? given : { ...given, url: await this.checks.vetUrl(given.url) };
    const endpoint = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const stored = await lockEndpoint(accountId, endpointId, tx);
      if (stored === null) throw endpointNotFound(endpointId);
      if (!onlyDisables(settings)) {
        await this.checks.requireReach(caller, stored, settings.subscribedEvents ?? [], tx);
      }
      const { secret, headers } = settings;
      const changes = changesOf(stored, settings, {
        secret: secret === undefined ? undefined : this.seal(secret, secretPlace(accountId, endpointId)),
        headers: headers === undefined ? undefined : this.sealHeaders(headers, accountId, endpointId),
      });
      await updateEndpoint(accountId, endpointId, changes, tx);
      const entry = { action: 'webhook.changed', subjectId: endpointId, changes: auditedSettings(settings) } as const;
      if (Object.keys(entry.changes).length > 0) await AuditLog.write(accountId, entry, tx);
      Object.assign(stored, changes);
      if (changes.status === 'disabled') await this.outbox.write([disabledEvent(stored, now())], tx);
      return stored;
    });
    if (settings.status === 'disabled') this.outbox.announce();
    if (settings.status === 'active') this.queue.add([{ accountId, endpointId }]);
    return endpoint;
  }

  /** Deletes the endpoint and drops its pending deliveries. @throws DomainError `not_found` */
  async remove(accountId: string, endpointId: string): Promise<void> {
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      if (!(await deleteEndpoint(accountId, endpointId, tx))) throw endpointNotFound(endpointId);
      await AuditLog.write(accountId, { action: 'webhook.deleted', subjectId: endpointId }, tx);
    });
  }

  /** The endpoint with its statistics and latest replay. @throws DomainError `not_found` */
  async overview(accountId: string, endpointId: string): Promise<EndpointOverview> {
    const endpoint = await this.find(accountId, endpointId);
    const reads = this.unitOfWork.reads(accountId);
    const recent = await recentDeliveries(accountId, endpointId, now(), reads);
    return { endpoint, recent, replay: await findReplay(accountId, endpointId, reads) };
  }

  /**
   * Signs deliveries with a new secret from the next attempt on. The replaced secret also signs for a day, so that
   * receivers have time to switch. A rotation to the present secret changes nothing.
   *
   * @param secret null: a random one
   * @throws DomainError `not_found`; `forbidden` as in {@link change}; `conflict` when as many secrets sign as may
   */
  async rotateSecret(caller: Caller, endpointId: string, secret: string | null): Promise<RotatedSecret> {
    const { accountId } = caller;
    const fresh = secret ?? newSigningSecret();
    const endpoint = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const stored = await lockEndpoint(accountId, endpointId, tx);
      if (stored === null) throw endpointNotFound(endpointId);
      await this.checks.requireReach(caller, stored, [], tx);
      await noteRecordOfKey(endpointId, tx);
      const isFresh = (sealed: string) => this.isSame(sealed, fresh, accountId, endpointId);
      if (stored.secret !== null && isFresh(stored.secret)) return stored;
      const place = secretPlace(accountId, endpointId);
      const changes = rotated(stored, this.secrets.seal(fresh, place), isFresh, now());
      if (changes.olderSecrets.length > MAX_SIGNING_SECRETS - 2) {
        throw tooManySecrets(MAX_SIGNING_SECRETS, changes.olderSecretsUntil.at(-1) ?? now());
      }
      await updateEndpoint(accountId, endpointId, changes, tx);
      await AuditLog.write(accountId, { action: 'webhook.secret_rotated', subjectId: endpointId }, tx);
      return Object.assign(stored, changes);
    });
    return { endpoint, secret: fresh };
  }

  /**
   * What the last rotation returned, for when the process died before it could respond.
   *
   * @throws DomainError `not_found`; UnreadableSecret
   */
  async rotatedSecret(accountId: string, endpointId: string): Promise<RotatedSecret> {
    const endpoint = await this.find(accountId, endpointId);
    if (endpoint.secret === null) throw endpointNotFound(endpointId);
    return { endpoint, secret: this.secrets.open(endpoint.secret, secretPlace(accountId, endpointId)) };
  }

  /** Whether a stored secret is `secret`. One that cannot be decrypted may be rotated away, so it counts as another. */
  private isSame(sealed: string, secret: string, accountId: string, endpointId: string): boolean {
    try {
      return this.secrets.open(sealed, secretPlace(accountId, endpointId)) === secret;
    } catch (error) {
      if (error instanceof UnreadableSecret) return false;
      throw error;
    }
  }

  private seal(secret: string | null, place: SecretPlace): string | null {
    return secret === null ? null : this.secrets.seal(secret, place);
  }

  private sealHeaders(headers: OwnHeaders, accountId: string, endpointId: string): string | null {
    const isEmpty = Object.keys(headers).length === 0;
    return this.seal(isEmpty ? null : JSON.stringify(headers), headersPlace(accountId, endpointId));
  }
}
