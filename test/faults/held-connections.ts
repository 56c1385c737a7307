import { RawConnection } from '../support/raw-connection.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import { list } from './books.js';
import type { FaultAccount, FaultStack, Reachable } from './fault-stack.js';
import { pause } from './pause.js';

const UPLOADED_ROWS = 40;
/** Rows that are held back until the port is closed, and the pause between two of those before, milliseconds. */
const LAST_ROWS = 5;
const ROW_EVERY_MS = 300;

/**
 * Two connections of a client that a process finds open when it is told to stop: an idle one, which has been used
 * before, and one on which a file is slowly being uploaded.
 */
export class HeldConnections {
  private readonly phones = Array.from({ length: UPLOADED_ROWS }, uniquePhone);

  private constructor(
    private readonly account: FaultAccount,
    private readonly idle: RawConnection,
    private readonly uploading: RawConnection,
  ) {}

  static async open({ baseUrl }: Reachable, account: FaultAccount): Promise<HeldConnections> {
    const [idle, uploading] = await Promise.all([RawConnection.open(baseUrl), RawConnection.open(baseUrl)]);
    const held = new HeldConnections(account, idle, uploading);
    const authorization = `Bearer ${account.apiKey}`;
    idle.head('GET', '/api/v1/agents/', { authorization });
    await until('the idle connection has its answer', () => idle.statuses.length >= 1);
    uploading.head('POST', '/api/v1/contacts/import', {
      authorization,
      'content-type': 'text/csv',
      'content-length': Buffer.byteLength(held.file.join('')),
    });
    uploading.write(held.file.slice(0, 2).join(''));
    return held;
  }

  /**
   * Uploads the rest of the file, row by row, of which the last ones come when the idle connection has been closed, and
   * with it the port. Waits until both connections are closed.
   */
  async finish(): Promise<void> {
    const isIdleClosed = () => this.idle.closed;
    for (const row of this.file.slice(2, -LAST_ROWS)) {
      if (!isIdleClosed()) await pause(ROW_EVERY_MS);
      this.uploading.write(row);
    }
    await until('the idle connection is closed', isIdleClosed).catch(() => undefined);
    for (const row of this.file.slice(-LAST_ROWS)) this.uploading.write(row);
    await until('the upload is closed', () => this.uploading.closed).catch(() => undefined);
  }

  /** Expects that the idle one was closed in order, and the upload answered and stored. */
  async findings(stack: FaultStack): Promise<string[]> {
    const { idle, uploading } = this;
    const stored = await stack.query<{ phone: string }>(
      'SELECT phone_number AS phone FROM contacts WHERE account_id = $1 AND phone_number = ANY ($2)',
      [this.account.accountId, this.phones],
    );
    return [
      ...(idle.closed && idle.error === null && `${idle.statuses}` === '200'
        ? []
        : [`the idle connection: closed ${idle.closed}, ${idle.error}, answers ${idle.statuses}`]),
      ...(uploading.error === null &&
      `${uploading.statuses}` === '200' &&
      /\r\nconnection: close\r\n/i.test(uploading.text)
        ? []
        : [`the upload: ${uploading.error} ${uploading.text.slice(0, 1000)}`]),
      ...list(
        'uploaded contacts are not stored',
        this.phones.filter((phone) => !stored.some((row) => row.phone === phone)),
      ),
    ];
  }

  private get file(): string[] {
    return ['phone_number,first_name\n', ...this.phones.map((phone) => `${phone},Ada\n`)];
  }
}
