import { Injectable } from '@nestjs/common';
import { SecretBox } from '../database/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { now } from '../values/clock.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId } from '../values/record-id.js';
import { type Delivery, findDeliveries } from './delivery-log.queries.js';
import { DrainQueue } from './drain-queue.js';
import { changesOf, type EndpointSettings, withDefaults } from './endpoint-rules.js';
import { secretPlace } from './endpoint-secrets.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { endpointNotFound, unusableUrl } from './webhooks.errors.js';
import {
  deleteEndpoint,
  findEndpoint,
  findEndpoints,
  insertEndpoint,
  lockEndpoint,
  updateEndpoint,
} from './webhooks.queries.js';

/** Manages webhook endpoints. It refuses URLs that no delivery may go to, and never gives a secret back. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    private readonly egress: EgressGuard,
    private readonly drains: DrainQueue,
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
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      await insertEndpoint(accountId, endpoint, tx);
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
   * Changes what is given, from the next attempt on. Deliveries of an endpoint that is disabled stay pending, and go
   * out when it is enabled again.
   */
  async change(accountId: string, endpointId: string, settings: EndpointSettings): Promise<WebhookEndpoint> {
    // DNS is asked before the transaction; an unknown endpoint is still 404, as the caller learns nothing from a 400.
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
      return Object.assign(stored, changes);
    });
    if (settings.status === 'active') this.drains.add([{ accountId, endpointId }]);
    return endpoint;
  }

  /** Deletes the endpoint; what waits for it is not delivered any more. */
  async remove(accountId: string, endpointId: string): Promise<void> {
    if (!(await deleteEndpoint(accountId, endpointId, this.unitOfWork.writes(accountId))))
      throw endpointNotFound(endpointId);
  }

  /** What was delivered or is to be, newest first, each with its attempts. */
  async deliveries(accountId: string, endpointId: string, page: Page): Promise<Paged<Delivery>> {
    await this.find(accountId, endpointId);
    return findDeliveries(accountId, endpointId, page, this.unitOfWork.reads(accountId));
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
