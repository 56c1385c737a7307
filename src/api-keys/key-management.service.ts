import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../accounts/api-key.entity.js';
import { endOf } from '../accounts/api-key.js';
import { ApiKeysService, type NewKey } from '../accounts/api-keys.service.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Caller } from '../auth/caller.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { checkRights, checkScopes, type KeyRights, rateLimitOfNewKey, rightsOfNewKey } from './key-rules.js';

/** A key with the text that opens the account, shown once. */
export interface IssuedApiKey {
  readonly record: ApiKey;
  readonly key: string;
}

/** Manages the API keys of an account at the request of its own keys, none of which can hand out more than it has. */
@Injectable()
export class KeyManagementService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(accountId: RecordId, page: Page): Promise<Paged<ApiKey>> {
    return this.keys.list(accountId, page);
  }

  /** @throws DomainError `forbidden` when the new key could do more than the caller's, `conflict` at the limit of keys */
  create(caller: Caller, { name, ...requested }: Pick<NewKey, 'name'> & Partial<KeyRights>): Promise<IssuedApiKey> {
    const rights = rightsOfNewKey(caller, requested);
    const { accountId } = caller;
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      await this.keys.checkCount(accountId, tx);
      const id = newRecordId();
      const changes = {
        scopes: rights.scopes,
        expires_at: rights.expiresAt?.toISOString() ?? null,
        allowed_networks: rights.allowedNetworks,
      };
      await AuditLog.write(accountId, { action: 'api_key.created', subjectId: id, changes }, tx);
      await noteRecordOfKey(id, tx);
      const { key } = await this.keys.issue(
        { id, accountId, name, ...rights, rateLimit: rateLimitOfNewKey(caller) },
        tx,
      );
      return { record: await this.keys.find(accountId, id, tx), key };
    });
  }

  /**
   * Issues a successor with the same rights; the old key works for `overlapSeconds` more.
   *
   * @throws DomainError `not_found`, `forbidden` and `conflict` as {@link create}, `bad_request` when the key does not
   *   work any more
   */
  rotate(caller: Caller, keyId: RecordId, overlapSeconds: number): Promise<IssuedApiKey> {
    const { accountId } = caller;
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const { scopes, allowedNetworks, ...times } = await this.keys.find(accountId, keyId, tx);
      checkRights(caller, { scopes, allowedNetworks, expiresAt: endOf(times) });
      const old = await this.keys.lockForRotation(accountId, keyId, overlapSeconds, tx);
      const id = newRecordId();
      const changes = { successor_id: id, overlap_seconds: overlapSeconds };
      await AuditLog.write(accountId, { action: 'api_key.rotated', subjectId: keyId, changes }, tx);
      await noteRecordOfKey(id, tx);
      const key = await this.keys.replace(old, { id, overlapSeconds }, tx);
      return { record: await this.keys.find(accountId, id, tx), key };
    });
  }

  /**
   * Gives a key whose secret was not delivered, because the process died first, another secret.
   *
   * @throws DomainError `conflict` when the key has been used, so that the secret was delivered after all
   */
  reissue(accountId: RecordId, keyId: RecordId): Promise<IssuedApiKey> {
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      await this.keys.lockUnused(accountId, keyId, tx);
      await AuditLog.write(accountId, { action: 'api_key.reissued', subjectId: keyId }, tx);
      const key = await this.keys.reissue(accountId, keyId, tx);
      return { record: await this.keys.find(accountId, keyId, tx), key };
    });
  }

  /**
   * Ends a key that may do no more than the caller's; a key may always revoke itself.
   *
   * @throws DomainError `not_found`, `forbidden`
   */
  async revoke(caller: Caller, keyId: RecordId): Promise<void> {
    const { accountId } = caller;
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      checkScopes(caller, (await this.keys.find(accountId, keyId, tx)).scopes);
      await AuditLog.write(accountId, { action: 'api_key.revoked', subjectId: keyId }, tx);
      await this.keys.revoke(accountId, keyId, tx);
    });
  }
}
