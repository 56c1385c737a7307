import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { UserRole } from '../accounts/user.entity.js';
import { SessionAuthenticationService } from '../auth/session-authentication.service.js';
import { DomainError } from '../errors/domain-error.js';
import { type OpenRequest, OpenRequests } from '../http/open-requests.js';
import { Shutdown } from '../runtime/shutdown.js';
import { MINUTE, now, SECOND } from '../values/clock.js';
import { EventStream } from './event-stream.js';

/** Streams of one process, and of one account in it. */
const MAX_STREAMS = 500;
const MAX_OF_ACCOUNT = 50;
/** Between two looks at all streams, milliseconds. */
const LOOK_EVERY_MS = SECOND;
/** A stream without events gets a comment this often, milliseconds. */
const KEEP_ALIVE_MS = 15 * SECOND;
/** A stream whose reader takes nothing is closed, milliseconds. */
const MAX_UNREAD_MS = MINUTE;
/** Sessions that are read at the same time. */
const MAX_AT_ONCE = 4;
/** Seconds after which a page may try again that was refused because the process stops. */
const STOPPING_RETRY_AFTER = 1;

/** What a stream was opened with. */
export interface StreamOwner {
  readonly token: string;
  readonly accountId: string;
  /** With another one it ends. */
  readonly role: UserRole;
}

interface Open extends StreamOwner {
  readonly stream: EventStream;
  readonly request: OpenRequest;
  keptAliveAt: number;
}

/** The streams of this process: how many there may be, and when they end. */
@Injectable()
export class OpenStreams implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly open = new Set<Open>();
  private readonly requests = new OpenRequests({
    max: MAX_STREAMS,
    maxPerAccount: MAX_OF_ACCOUNT,
    of: 'streams',
    consequence: 'ask for what you watch instead',
  });
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    private readonly sessions: SessionAuthenticationService,
    private readonly shutdown: Shutdown,
  ) {
    shutdown.signal.addEventListener('abort', () => this.endAll());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.endAll();
  }

  /** @throws DomainError 503 when there are too many, or the process stops */
  start(owner: StreamOwner): EventStream {
    if (this.shutdown.isStopping) {
      throw new DomainError('unavailable', 'this process is stopping; open the stream again', {
        headers: { 'retry-after': String(STOPPING_RETRY_AFTER) },
      });
    }
    const request = this.requests.open(owner.accountId);
    const stream = new EventStream();
    const open: Open = { ...owner, stream, request, keptAliveAt: performance.now() };
    this.open.add(open);
    request.signal.addEventListener('abort', () => stream.end('reset'));
    stream.once('close', () => {
      this.open.delete(open);
      request.close();
    });
    return stream;
  }

  private endAll(): void {
    for (const { stream } of this.open) stream.end('reset');
  }

  private async look(): Promise<void> {
    const at = performance.now();
    for (const open of this.open) {
      if (at - open.stream.takenAt > MAX_UNREAD_MS && open.stream.readableLength > 0) open.stream.destroy();
      else if (at - open.keptAliveAt >= KEEP_ALIVE_MS) {
        open.keptAliveAt = at;
        open.stream.keepAlive();
      }
    }
    // A slow database is asked once at a time, not once a second.
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.recheckAll();
    } finally {
      this.isLooking = false;
    }
  }

  /** Rechecks the streams, those of a session together: a change of the configuration makes all sessions be read again. */
  private async recheckAll(): Promise<void> {
    const byToken = new Map<string, Open[]>();
    for (const open of this.open) {
      const streams = byToken.get(open.token);
      if (streams === undefined) byToken.set(open.token, [open]);
      else streams.push(open);
    }
    const sessions = byToken.entries();
    const worker = async (): Promise<void> => {
      for (const [token, streams] of sessions) await this.recheck(token, streams);
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
  }

  /** Ends streams whose session has ended, or may no longer see what they show. A failed look leaves them open. */
  private async recheck(token: string, streams: readonly Open[]): Promise<void> {
    const session = await this.sessions.current(token, now()).catch(() => undefined);
    if (session === undefined) return;
    for (const { accountId, role, stream } of streams) {
      const caller = session && this.sessions.callerOf(session, accountId);
      if (session === null) stream.end('signed_out');
      else if (caller === null || caller.purging || session.person.role !== role) stream.end('reset');
    }
  }
}
