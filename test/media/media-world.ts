import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { MediaNetwork } from './media-network.js';

/** A file's row. */
export interface FileRow {
  readonly status: string;
  readonly reason: string | null;
  readonly mimeType: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly attempts: number;
  readonly mismatches: number;
}

/** Which file of which account. */
export interface ArrivedFile {
  readonly account: TestAccount;
  readonly messageId: string;
}

/** An answer with a file. */
export interface GotFile {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** What a message with a file says. */
export interface SentFile {
  readonly type?: string;
  readonly mime_type?: string;
  readonly filename?: string;
  readonly from?: string;
}

/** Parley, and the files of messages that customers send through its simulator. */
export class MediaFiles {
  constructor(readonly world: World) {}

  account(): Promise<TestAccount> {
    return this.world.account();
  }

  /** A customer sends a message with a file, which the simulator describes by `media` as docs/simulator.md says. */
  async send(
    { phone, api }: TestAccount,
    { type = 'image', from = uniquePhone(), ...media }: SentFile & Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { id } = await this.world.simulator.inbound({ phone_number_id: phone.phoneNumberId, from, type, media });
    const { body } = await api.get<{ messages: { message_id: string; network_message_id: string }[] }>(
      `/api/v1/messages/?contact_phone=${from}`,
    );
    return body.messages.find((each) => each.network_message_id === id)?.message_id ?? '';
  }

  rowOf({ account, messageId }: ArrivedFile): Promise<FileRow | null> {
    return this.world.unitOfWork.autocommit.row<FileRow>(
      `SELECT status, reason, mime_type, size, sha256, attempts, mismatches FROM media_files
       WHERE account_id = $1 AND message_id = $2`,
      [account.accountId, messageId],
    );
  }

  /** Waits until the file is what a test wants; each look makes it due, so that no test waits for a retry. */
  untilRow(file: ArrivedFile, what: string, isReached: (row: FileRow) => boolean): Promise<FileRow> {
    return until(what, async () => {
      await this.hurry(file);
      const row = await this.rowOf(file);
      return row !== null && isReached(row) ? row : null;
    });
  }

  untilStatus(file: ArrivedFile, status: string): Promise<FileRow> {
    return this.untilRow(file, `the file is ${status}`, (row) => row.status === status);
  }

  /** The paths of all files in the store, those that are being written included. */
  async stored(): Promise<string[]> {
    const root = this.world.environment.media.directory;
    // A folder that is removed meanwhile makes the listing fail.
    const entries = await until('the store is listed', () =>
      readdir(root, { recursive: true, withFileTypes: true }).catch(() => null),
    );
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  }

  /** Gets the file over HTTP, as it is. */
  async get(file: ArrivedFile, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<GotFile> {
    const response = await fetch(this.world.baseUrl + pathOf(file), {
      method,
      headers: { authorization: `Bearer ${file.account.apiKey}`, ...headers },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** Makes a file due that waits for its next attempt. */
  async hurry({ account, messageId }: ArrivedFile): Promise<void> {
    await this.world.unitOfWork.autocommit.affected(
      `UPDATE media_files SET due_at = now(), tried_at = NULL
       WHERE account_id = $1 AND message_id = $2 AND status = 'pending' AND leased_until IS NULL`,
      [account.accountId, messageId],
    );
  }

  stop(): Promise<void> {
    return this.world.stop();
  }
}

/** The same with a network whose files are those of a {@link MediaNetwork}. */
export class MediaWorld extends MediaFiles {
  private constructor(
    world: World,
    readonly network: MediaNetwork,
  ) {
    super(world);
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<MediaWorld> {
    const network = await MediaNetwork.start();
    const world = await World.start({ env: { NETWORK_BASE_URL: network.url, ...env } });
    return new MediaWorld(world, network);
  }

  override async account(): Promise<TestAccount> {
    const account = await super.account();
    this.network.knows(account.phone.phoneNumberId);
    return account;
  }

  /** A customer sends a file that the network holds. */
  async arrive(account: TestAccount, mediaId: string, sent: SentFile = {}): Promise<ArrivedFile> {
    return { account, messageId: await this.send(account, { ...sent, id: mediaId }) };
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.network.stop();
  }
}

export const pathOf = ({ messageId }: ArrivedFile): string => `/api/v1/messages/${messageId}/media`;
