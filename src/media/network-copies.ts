import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { NetworkUnreachable } from '../network/network-error.js';
import { InFlightRoom } from '../runtime/in-flight-room.js';
import { Metrics } from '../runtime/metrics.js';
import { DAY, HOUR, MINUTE, SECOND } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { uploadNotFound } from './media.errors.js';
import {
  type CopyKey,
  type FoundCopy,
  findCopy,
  forgetCopy,
  recordCopy,
  releaseCopy,
  renewCopyLease,
  takeCopy,
} from './network-copy.queries.js';
import { NetworkUpload } from './network-upload.js';
import { findUpload } from './uploaded-file.queries.js';

/** How long the network keeps a file. */
const FORGOTTEN_AFTER_MS = 30 * DAY;
/** A copy is used until shortly before, and made again in the last day. */
const USED_FOR_MS = FORGOTTEN_AFTER_MS - HOUR;
const RENEW_AFTER_MS = FORGOTTEN_AFTER_MS - DAY;
/** How long the upload of a dead process holds up the next one. */
const LEASE_MS = 10 * SECOND;
const RENEW_LEASE_MS = 3 * SECOND;
/** Milliseconds between looks at a copy that another process is making. */
const LOOK_MS = 250;
/** Between attempts to renew a copy; the old one is used meanwhile. */
const REST_MS = MINUTE;
/** An id is forgotten on the network's word only once in this time: after that, the id is not what it refuses. */
const TRUST_MS = 10 * MINUTE;
/** Files that a process uploads at once. */
const MAX_UPLOADS = 16;
/** Copies that a process remembers. */
const MAX_KNOWN = 10_000;

/** The network's ids of files, by ours. */
export type CopyIds = ReadonlyMap<RecordId, string>;

interface KnownCopy {
  readonly networkMediaId: string;
  /** By `performance.now()`. */
  readonly goodUntil: number;
  readonly renewFrom: number;
}

/**
 * The copies of uploaded files at the network: one for each business phone, made at its first use and again before the
 * network forgets it. Processes make a copy under a lease, so that usually only one uploads it.
 */
@Injectable()
export class NetworkCopies implements BeforeApplicationShutdown {
  private readonly logger = new Logger(NetworkCopies.name);
  private readonly warnings = new OncePer(MINUTE);
  private readonly known = new Map<string, KnownCopy>();
  private readonly underWay = new Map<string, Promise<void>>();
  /** Until when the renewal of a copy is not tried again. */
  private readonly resting = new Map<string, number>();
  private readonly room = new InFlightRoom(MAX_UPLOADS);
  private readonly outcomes;
  private readonly renewing = new Set<Promise<void>>();
  /** Refusals that are being looked into, by the network's id. */
  private readonly distrusted = new Map<string, Promise<boolean>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly network: NetworkUpload,
    private readonly unitOfWork: BackgroundUnitOfWork,
    metrics: Metrics,
  ) {
    this.outcomes = metrics.counter({
      name: 'parley_media_uploads_total',
      help: 'Attempts to upload a customer’s file to the network, by outcome',
      labels: ['outcome'],
    });
  }

  /** The network's ids of files for a phone; null when one of them has no copy that can be used now. */
  idsFor(phone: BusinessPhone, fileIds: readonly RecordId[]): CopyIds | null {
    const ids = new Map<RecordId, string>();
    for (const fileId of fileIds) {
      const copy = this.usable(phone, fileId);
      if (copy === null) return null;
      ids.set(fileId, copy.networkMediaId);
    }
    return ids;
  }

  /**
   * Waits until the phone has a copy of each file, and makes those that are missing. It may take minutes.
   *
   * @throws DomainError 404 for a file that is not there any more; what {@link NetworkUpload.upload} throws
   */
  async ensure(phone: BusinessPhone, fileIds: readonly RecordId[]): Promise<void> {
    const missing = fileIds.filter((fileId) => this.usable(phone, fileId) === null);
    await Promise.all(missing.map((fileId) => this.make(phone, fileId)));
  }

  /**
   * Notes that the network has refused a message with these ids, perhaps because it does not know one of them any more.
   *
   * @returns whether the message may be tried again, with other ids, or because nobody can say now; never rejects
   */
  async refused(phone: BusinessPhone, ids: CopyIds): Promise<boolean> {
    const each = [...ids].map(([fileId, networkMediaId]) => this.distrust(keyOf(phone, fileId), networkMediaId));
    return (await Promise.all(each)).includes(true);
  }

  /** Forgets an id once for all messages in flight that met its refusal. Never rejects. */
  private distrust(key: CopyKey, networkMediaId: string): Promise<boolean> {
    const known = this.distrusted.get(networkMediaId);
    if (known !== undefined) return known;
    const asked = this.forget(key, networkMediaId).finally(() => this.distrusted.delete(networkMediaId));
    this.distrusted.set(networkMediaId, asked);
    return asked;
  }

  private async forget(key: CopyKey, networkMediaId: string): Promise<boolean> {
    try {
      const mayRetry = await forgetCopy(key, networkMediaId, TRUST_MS, this.unitOfWork.autocommit);
      if (mayRetry && this.known.get(nameOf(key))?.networkMediaId === networkMediaId) this.known.delete(nameOf(key));
      return mayRetry;
    } catch (error) {
      if (this.warnings.allows('forget')) this.logger.warn(`an id was not forgotten: ${(error as Error).message}`);
      return true;
    }
  }

  /** Breaks uploads off, so that another process can begin them at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('this process stops'));
    await Promise.allSettled([...this.underWay.values(), ...this.renewing]);
  }

  /** A copy that can be used; if the network is about to forget it, it is made again meanwhile. */
  private usable(phone: BusinessPhone, fileId: RecordId): KnownCopy | null {
    const key = keyOf(phone, fileId);
    const copy = this.known.get(nameOf(key));
    const at = performance.now();
    if (copy === undefined || copy.goodUntil <= at) return null;
    if (copy.renewFrom <= at && (this.resting.get(nameOf(key)) ?? 0) <= at) this.renewBeside(phone, key);
    return copy;
  }

  private make(phone: BusinessPhone, fileId: RecordId): Promise<void> {
    const key = keyOf(phone, fileId);
    const name = nameOf(key);
    const known = this.underWay.get(name);
    if (known !== undefined) return known;
    const making = this.obtain(phone, key).finally(() => this.underWay.delete(name));
    this.underWay.set(name, making);
    return making;
  }

  /** Finds the copy, or makes it, or waits for the process that does. */
  private async obtain(phone: BusinessPhone, key: CopyKey): Promise<void> {
    for (;;) {
      const found = await findCopy(key, this.unitOfWork.autocommit);
      if (found === null) throw uploadNotFound(key.fileId);
      if (this.remember(key, found)) return;
      if (!(await this.attempt(phone, key))) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Makes a copy anew while the old one is used. */
  private renewBeside(phone: BusinessPhone, key: CopyKey): void {
    this.resting.set(nameOf(key), performance.now() + REST_MS);
    const renewing = this.renew(phone, key).finally(() => this.renewing.delete(renewing));
    this.renewing.add(renewing);
  }

  /** Never rejects. */
  private async renew(phone: BusinessPhone, key: CopyKey): Promise<void> {
    try {
      await this.attempt(phone, key);
      const found = await findCopy(key, this.unitOfWork.autocommit);
      if (found !== null) this.remember(key, found);
    } catch (error) {
      if (this.warnings.allows('renew')) this.logger.warn(`a file was not renewed: ${(error as Error).message}`);
    }
  }

  /** @returns false when there is nothing to do, or another process is doing it */
  private async attempt(phone: BusinessPhone, key: CopyKey): Promise<boolean> {
    const { accountId } = key;
    const leaseId = newRecordId();
    await this.room.enter(accountId, 1);
    try {
      const times = { leaseMs: LEASE_MS, renewAfterMs: RENEW_AFTER_MS };
      if (this.stopping.signal.aborted) throw new NetworkUnreachable('this process stops');
      if (!(await takeCopy(key, leaseId, times, this.unitOfWork.autocommit))) return false;
      await this.upload(phone, key, leaseId);
      return true;
    } finally {
      this.room.leave(accountId, 1);
    }
  }

  private async upload(phone: BusinessPhone, key: CopyKey, leaseId: RecordId): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const begun = performance.now();
    const renewal = setInterval(() => {
      // The next renewal comes before the lease ends.
      renewCopyLease(key, leaseId, LEASE_MS, autocommit).catch(() => undefined);
    }, RENEW_LEASE_MS);
    try {
      const file = await findUpload(key.accountId, key.fileId, autocommit);
      if (file === null) throw uploadNotFound(key.fileId);
      const networkMediaId = await this.network.upload(phone, file, this.stopping.signal);
      await recordCopy(key, leaseId, networkMediaId, performance.now() - begun, autocommit);
      this.outcomes.inc({ outcome: 'uploaded' });
    } catch (error) {
      this.outcomes.inc({ outcome: 'failed' });
      await releaseCopy(key, leaseId, autocommit).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** @returns whether it can be used */
  private remember(key: CopyKey, { networkMediaId, ageMs }: FoundCopy): boolean {
    if (networkMediaId === null || ageMs === null || ageMs >= USED_FOR_MS) return false;
    const at = performance.now();
    const copy = { networkMediaId, goodUntil: at + USED_FOR_MS - ageMs, renewFrom: at + RENEW_AFTER_MS - ageMs };
    this.known.delete(nameOf(key));
    this.known.set(nameOf(key), copy);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MAX_KNOWN) break;
      this.known.delete(oldest);
      this.resting.delete(oldest);
    }
    return true;
  }
}

const keyOf = ({ accountId, id }: BusinessPhone, fileId: RecordId): CopyKey => ({
  accountId,
  fileId,
  businessPhoneId: id,
});

const nameOf = ({ businessPhoneId, fileId }: CopyKey): string => `${businessPhoneId} ${fileId}`;
