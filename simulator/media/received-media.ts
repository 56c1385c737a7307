import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import type { Behaviour } from '../control/behaviour.js';
import { asciiJson } from '../json-object.js';
import { bytesOf, hashOf } from './generated-file.js';
import type { StoredMedium } from './media-store.js';

const MAX_FILES = 100_000;
/** How much the given files may take together, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;
/** More finished lines than this are worth rewriting the file. */
const MAX_STALE = 1000;

/** A file that somebody sent to the business. */
export interface ReceivedMedium extends StoredMedium {
  /** Whether its bytes are made up when they are read; otherwise they are in the directory. */
  generated: boolean;
}

/** What is known of a file before it is kept. */
interface NewMedium {
  id?: string;
  phone_number_id: string;
  mime_type: string;
}

/**
 * The files in messages of customers, which the network keeps for `media_days`. Bounded: of too many, the oldest ones are
 * forgotten. Survives a restart.
 */
export class ReceivedMedia {
  private readonly media = new Map<string, ReceivedMedium>();
  private bytes = 0;
  private log: AppendLog;

  private constructor(
    private readonly directory: string,
    private readonly behaviour: Behaviour,
  ) {}

  static async open(path: string, directory: string, behaviour: Behaviour): Promise<ReceivedMedia> {
    await mkdir(directory, { recursive: true });
    const received = new ReceivedMedia(directory, behaviour);
    let lines = 0;
    received.log = AppendLog.open(path, (text) => {
      lines += 1;
      const { deleted, ...medium } = JSON.parse(text) as ReceivedMedium & { deleted?: boolean };
      if (deleted) received.forget(medium.id);
      else received.keep(medium);
    });
    if (lines - received.media.size > MAX_STALE) {
      received.log.clear();
      for (const medium of received.media.values()) received.log.append(asciiJson(medium));
    }
    return received;
  }

  /** Keeps a file that the caller gives. */
  async add(description: NewMedium, bytes: Buffer): Promise<ReceivedMedium> {
    const medium = { ...this.describe(description, bytes.length), generated: false };
    medium.sha256 = createHash('sha256').update(bytes).digest('hex');
    await writeFile(this.pathOf(medium), bytes);
    return this.store(medium);
  }

  /** Keeps a file of which only type and size matter. */
  async generate(description: NewMedium, size: number): Promise<ReceivedMedium> {
    const medium = { ...this.describe(description, size), generated: true };
    medium.sha256 = (await hashOf(medium)).toString('hex');
    return this.store(medium);
  }

  /** The file with this id; undefined once its days are over. */
  find(id: string): ReceivedMedium | undefined {
    const medium = this.media.get(id);
    return medium && Date.now() - medium.at < this.behaviour.settings.media_days * DAY ? medium : undefined;
  }

  /** The bytes of a file, in pieces. */
  read(medium: ReceivedMedium): Iterable<Buffer> | AsyncIterable<Buffer> {
    return medium.generated ? bytesOf(medium) : createReadStream(this.pathOf(medium));
  }

  async remove({ id }: ReceivedMedium): Promise<void> {
    await this.drop(id);
  }

  close(): void {
    this.log.close();
  }

  private describe({ id, phone_number_id, mime_type }: NewMedium, file_size: number): StoredMedium {
    const digits = randomBytes(8).readBigUInt64BE().toString().padStart(16, '1').slice(0, 16);
    return { id: id ?? digits, phone_number_id, mime_type, sha256: '', file_size, at: Date.now() };
  }

  private async store(medium: ReceivedMedium): Promise<ReceivedMedium> {
    this.keep(medium);
    await this.log.append(asciiJson(medium));
    while (this.media.size > MAX_FILES || this.bytes > MAX_BYTES) {
      const [oldest] = this.media.keys();
      if (oldest === undefined) break;
      await this.drop(oldest);
    }
    return medium;
  }

  private async drop(id: string): Promise<void> {
    const medium = this.media.get(id);
    if (!medium) return;
    this.forget(id);
    await this.log.append(asciiJson({ id, deleted: true }));
    if (!medium.generated) await rm(this.pathOf(medium), { force: true });
  }

  private keep(medium: ReceivedMedium): void {
    this.forget(medium.id);
    this.media.set(medium.id, medium);
    if (!medium.generated) this.bytes += medium.file_size;
  }

  private forget(id: string): void {
    const medium = this.media.get(id);
    if (medium && !medium.generated) this.bytes -= medium.file_size;
    this.media.delete(id);
  }

  /** Callers choose ids, so the name of the file is made from it. */
  private pathOf({ id }: StoredMedium): string {
    return join(this.directory, createHash('sha256').update(id).digest('hex'));
  }
}
