import { Inject, Injectable } from '@nestjs/common';
import { lockAccount } from '../accounts/account.queries.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { SecretBox } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
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
import { auditedSettings } from './endpoints/endpoint-audit.js';
import { changesOf, type EndpointSettings, withDefaults } from './endpoints/endpoint-rules.js';
import { newSigningSecret, ROTATION_MS, secretPlace } from './endpoints/endpoint-secrets.js';
import { type RecentDeliveries, recentDeliveries } from './log/delivery-control.queries.js';
import { findReplay } from './log/replay.queries.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import type { WebhookReplay } from './webhook-replay.entity.js';
import { endpointNotFound, tooManyEndpoints, unusableUrl } from './webhooks.errors.js';

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
    private readonly egress: EgressGuard,
    private readonly queue: DrainQueue,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async register(accountId: string, settings: EndpointSettings & { readonly url: string }): Promise<WebhookEndpoint> {
    await this.vet(settings.url);
    const id = newRecordId();
    const endpoint = Object.assign(new WebhookEndpoint(), {
      ...withDefaults(settings),
      accountId,
      id,
      url: settings.url,
      secret: this.seal(accountId, id, settings.secret ?? null),
      previousSecret: null,
      previousSecretUntil: null,
      status: 'active' as const,
      disabledReason: null,
      failingSince: null,
      deletedAt: null,
      createdAt: now(),
    });
    const { webhookEndpointLimit } = this.environment;
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      // Serialises concurrent registrations, so that together they cannot exceed the limit.
      await lockAccount(accountId, tx);
      if ((await countEndpoints(accountId, tx)) >= webhookEndpointLimit) throw tooManyEndpoints(webhookEndpointLimit);
      await insertEndpoint(accountId, endpoint, tx);
      const changes = auditedSettings({ ...endpoint, secret: settings.secret ?? undefined });
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
   * @throws DomainError `not_found`; `bad_request` for an unusable URL; `conflict` when another endpoint has the URL
   */
  async change(accountId: string, endpointId: string, settings: EndpointSettings): Promise<WebhookEndpoint> {
    // The DNS lookup must happen outside the transaction. Check the endpoint first, so that an unknown one gives 404.
    if (settings.url !== undefined) {
      await this.find(accountId, endpointId);
      await this.vet(settings.url);
    }
    const endpoint = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const stored = await lockEndpoint(accountId, endpointId, tx);
      if (stored === null) throw endpointNotFound(endpointId);
      const { secret } = settings;
      const sealed = secret === undefined ? undefined : this.seal(accountId, endpointId, secret);
      const changes = changesOf(stored, settings, sealed);
      await updateEndpoint(accountId, endpointId, changes, tx);
      const entry = { action: 'webhook.changed', subjectId: endpointId, changes: auditedSettings(settings) } as const;
      if (Object.keys(entry.changes).length > 0) await AuditLog.write(accountId, entry, tx);
      return Object.assign(stored, changes);
    });
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
   * Signs deliveries with a new secret from the next attempt on. The previous secret also signs for {@link
   * ROTATION_MS}, so that receivers have time to switch.
   *
   * @param secret null: a random one
   * @throws DomainError `not_found`
   */
  async rotateSecret(accountId: string, endpointId: string, secret: string | null): Promise<RotatedSecret> {
    const fresh = secret ?? newSigningSecret();
    const endpoint = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const stored = await lockEndpoint(accountId, endpointId, tx);
      if (stored === null) throw endpointNotFound(endpointId);
      const previous = stored.secret;
      const changes = {
        secret: this.seal(accountId, endpointId, fresh),
        previousSecret: previous,
        previousSecretUntil: previous === null ? null : new Date(now().getTime() + ROTATION_MS),
      };
      await updateEndpoint(accountId, endpointId, changes, tx);
      await AuditLog.write(accountId, { action: 'webhook.secret_rotated', subjectId: endpointId }, tx);
      await noteRecordOfKey(endpointId, tx);
      return Object.assign(stored, changes);
    });
    return { endpoint, secret: fresh };
  }

  /**
   * What the last rotation returned, for when the process died before it could respond. @throws DomainError `not_found`
   */
  async rotatedSecret(accountId: string, endpointId: string): Promise<RotatedSecret> {
    const endpoint = await this.find(accountId, endpointId);
    if (endpoint.secret === null) throw endpointNotFound(endpointId);
    return { endpoint, secret: this.secrets.open(endpoint.secret, secretPlace(accountId, endpointId)) };
  }

  private async vet(url: string): Promise<void> {
    try {
      await this.egress.vet(url, { httpsOnly: true });
    } catch (error) {
      throw unusableUrl(error);
    }
  }

  private seal(accountId: string, endpointId: string, secret: string | null): string | null {
    return secret === null ? null : this.secrets.seal(secret, secretPlace(accountId, endpointId));
  }
}
