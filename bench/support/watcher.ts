import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { insertSession } from '../../src/accounts/session.queries.js';
import { hashToken } from '../../src/auth/session-authentication.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { Stack } from './stack.js';

/** The name of the cookie unless it is configured. */
const COOKIE = '__Host-parley';

/** Signs a user in; returns the cookie. */
export async function signIn(stack: Stack, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const at = new Date();
  const times = { createdAt: at, seenAt: at };
  const session = { userId, id: newRecordId(), tokenHash: hashToken(token), mustSetPassword: false, ...times };
  await stack.unitOfWork.transaction((tx) => insertSession({ ...session, address: null, device: null }, tx));
  return `${COOKIE}=${token}`;
}

/** Whom a watcher watches, and in whose name. */
export interface Watching {
  readonly accountId: string;
  readonly cookie: string;
  readonly topics: readonly string[];
  /** Gets each event; `data` is JSON. */
  readonly onEvent?: (event: string, data: string) => void;
}

/** An open stream of live updates, as a page of the console has it. */
export class Watcher {
  /** The last event. */
  last: string | null = null;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<unknown>;

  private constructor(
    private readonly request: ClientRequest,
    response: IncomingMessage,
    private readonly onEvent: Watching['onEvent'],
  ) {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    });
    // A connection that breaks is an end too.
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => response.once('close', resolve));
  }

  /** @throws Error when the service refuses */
  static async open(stack: Stack, { accountId, cookie, topics, onEvent }: Watching): Promise<Watcher> {
    const url = `${stack.baseUrl}/api/v1/stream?account=${accountId}&topics=${topics.join(',')}`;
    const request = get(url, { agent: false, headers: { cookie } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    if (response.statusCode !== 200) {
      throw new Error(`a stream was refused with ${response.statusCode}: ${await text(response)}`);
    }
    return new Watcher(request, response, onEvent);
  }

  async close(): Promise<void> {
    this.request.destroy();
    await this.ended;
  }

  private take(block: string): void {
    const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    if (event === undefined) return;
    this.last = event;
    this.onEvent?.(event, data);
  }
}
