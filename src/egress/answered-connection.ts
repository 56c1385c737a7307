import type { Socket } from 'node:net';
import {
  type AnswerHead,
  CARRIAGE_RETURN,
  endOfHead,
  LINE_FEED,
  readHead,
  SWITCHING_PROTOCOLS,
  statusOf,
  type TidyHead,
} from './answer-head.js';
import { ChunkLines, UNTIDY_CHUNK_LINES } from './chunk-lines.js';
import { EgressError, NO_ANSWER } from './egress-error.js';

/** The bytes of interim answers that are skipped before one final answer. */
const MAX_INTERIM_BYTES = 64 * 1024;
const HEADERS_GO_ON = 'headers that did not end';
/** A blank line that some servers send behind a body, as in front of an answer. */
const BLANK_LINE_BYTES = 2;
const BODY_GOES_ON = 'more body than its length says';

/** What is known of the connection that carries a request. */
export interface CarryingConnection {
  /** Whether it had carried a request before, and has not sent a byte of the answer to this one. */
  readonly isStale: boolean;
  /** Whether it had carried a request before. */
  readonly isReused: boolean;
  /** What ended the connection, if that was not its regular end. */
  readonly fault: Error | null;
  /** Reads no more until {@link resume}. The parser is never paused: undici asserts that a socket ends when it is not. */
  pause(): void;
  resume(): void;
  /** The answer has ended. What was odd about its framing may be so again, so the connection is not used for another one. */
  release(): void;
  /** The final answer's head, as far as it has arrived; null before its first line has. */
  answer(): AnswerHead | null;
}

/** A request as its connection sees it. */
export interface Carried {
  /** Whether the answer to it may have a body. */
  readonly mayHaveBody: boolean;
  /** So many bytes have arrived since, whatever they are. It may end the connection. */
  onReceived(bytes: number): void;
  /** The connection is of no use. */
  onFault(error: EgressError): void;
}

/**
 * One socket as HTTP sees it. It skips informational answers (1xx), which may come before every final answer but which
 * undici takes for a fault; it tidies the heads of final ones, of which undici would not even tell the status; and it
 * notes whether the answer to the request under way has begun.
 */
export class AnsweredConnection implements CarryingConnection {
  private carried: Carried | null = null;
  private requests = 0;
  private hasAnswer = false;
  /** The head that is arriving; null once it is known where it ends, and while none is expected. */
  private arriving: ArrivingHead | null = null;
  private head: AnswerHead | null = null;
  /** Bytes in front of the body. */
  private headBytes = 0;
  private receivedBefore = 0;
  /** Reads the framing of the answer's body, if that is chunked. */
  private chunks: ChunkLines | null = null;
  private isPaused = false;
  fault: Error | null = null;

  /** @param socket which is read through this from now on */
  constructor(private readonly socket: Socket) {
    const { read } = socket;
    socket.read = (size?: number) =>
      this.next(() => (socket.destroyed || this.isPaused ? null : read.call(socket, size)));
    socket.once('error', (error) => {
      this.fault = error;
    });
  }

  get isStale(): boolean {
    return this.isReused && !this.hasAnswer;
  }

  get isReused(): boolean {
    return this.requests > 1;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    // It may be called while undici parses, and then must not be read.
    queueMicrotask(() => this.socket.emit('readable'));
  }

  /** `request` is about to be written to the socket. */
  carry(request: Carried): void {
    this.carried = request;
    this.requests += 1;
    this.hasAnswer = false;
    this.arriving = new ArrivingHead();
    this.head = null;
    this.chunks = null;
    this.headBytes = 0;
    this.isPaused = false;
    this.receivedBefore = this.socket.bytesRead;
  }

  release(): void {
    if (this.chunks?.isOdd === true) this.socket.destroy();
  }

  answer(): AnswerHead | null {
    if (this.head !== null) {
      if (this.chunks?.isOdd === true) return withOddity(this.head, UNTIDY_CHUNK_LINES);
      return this.isLonger(this.head) ? withOddity(this.head, BODY_GOES_ON) : this.head;
    }
    const { arriving } = this;
    if (arriving === null || !isFinal(arriving.status() ?? 0)) return null;
    return withOddity(this.read(arriving.bytes()), HEADERS_GO_ON);
  }

  /** The bytes that have arrived since the request. */
  private received(): number {
    return this.socket.bytesRead - this.receivedBefore;
  }

  /** The next bytes of final answers; null when there are none yet. */
  private next(read: () => Buffer | null): Buffer | null {
    for (let chunk = read(); chunk !== null; chunk = read()) {
      this.hasAnswer = true;
      this.carried?.onReceived(this.received());
      if (this.arriving === null) {
        const fed = this.chunks?.feed(chunk) ?? chunk;
        if (fed.length > 0) return fed;
        continue;
      }
      this.headBytes += this.arriving.add(chunk);
      const bytes = this.pastHead(this.arriving);
      if (bytes !== null) return bytes;
    }
    return null;
  }

  /** The final answer as the parser takes it, if its head has arrived. */
  private pastHead(arriving: ArrivingHead): Buffer | null {
    for (;;) {
      const status = arriving.status();
      const end = typeof status === 'number' ? arriving.end() : null;
      const isInterim = typeof status === 'number' && !isFinal(status);
      const interim = this.headBytes + (isInterim ? (end ?? arriving.bytes().length) : 0);
      if (status === undefined || interim > MAX_INTERIM_BYTES) {
        this.carried?.onFault(new EgressError('bad_answer', NO_ANSWER));
        return null;
      }
      if (end === null) return null;
      this.headBytes += end;
      if (!isInterim) return this.finish(arriving, end);
      this.headBytes += arriving.drop(end);
    }
  }

  private finish(arriving: ArrivingHead, end: number): Buffer {
    const bytes = arriving.bytes();
    this.arriving = null;
    const head = this.read(bytes.subarray(0, end));
    this.head = head;
    if (head.isChunked && this.carried?.mayHaveBody !== false) this.chunks = new ChunkLines();
    const body = bytes.subarray(end);
    const fed = this.chunks?.feed(body) ?? body;
    if (head.tidied === null && fed === body) return bytes;
    return Buffer.concat([head.tidied === null ? bytes.subarray(0, end) : Buffer.from(head.tidied, 'latin1'), fed]);
  }

  private read(bytes: Buffer): TidyHead {
    return readHead(bytes.toString('latin1'), this.carried?.mayHaveBody ?? true);
  }

  private isLonger({ bodyLength }: AnswerHead): boolean {
    if (bodyLength === null) return false;
    return this.received() > this.headBytes + bodyLength + BLANK_LINE_BYTES;
  }
}

/** Nobody asked to change protocols, so an answer that does is final. */
const isFinal = (status: number): boolean => status >= 200 || status === SWITCHING_PROTOCOLS;

const withOddity = (head: AnswerHead, oddity: string): AnswerHead => ({
  ...head,
  oddities: [...head.oddities, oddity],
});

/** The bytes of a head that arrive in pieces, none of which is read again with each of the others. */
class ArrivingHead {
  private buffer: Buffer = Buffer.alloc(0);
  private length = 0;
  /** Whether the buffer is ours, or that of the first piece. */
  private isOwn = false;
  private knownStatus: number | null = null;
  /** What cannot be the end of the head. */
  private searched = 0;

  /** @returns how much of the chunk was left out: blank lines in front of the answer, which some servers send behind others */
  add(chunk: Buffer): number {
    if (this.length > 0) {
      this.append(chunk);
      return 0;
    }
    const start = chunk.findIndex((byte) => byte !== LINE_FEED && byte !== CARRIAGE_RETURN);
    this.buffer = chunk.subarray(start < 0 ? chunk.length : start);
    this.length = this.buffer.length;
    this.isOwn = false;
    return chunk.length - this.length;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  /** Null while its first line goes on; undefined when that is no status line. */
  status(): number | null | undefined {
    if (this.knownStatus !== null) return this.knownStatus;
    const lineEnd = this.bytes().indexOf('\n', this.searched);
    const status = statusOf(this.buffer.toString('latin1', 0, lineEnd < 0 ? Math.min(this.length, 64) : lineEnd + 1));
    this.knownStatus = status ?? null;
    if (status === null) this.searched = this.length;
    return status;
  }

  /** Where it ends, behind its blank line; null when it goes on. */
  end(): number | null {
    const end = endOfHead(this.bytes(), Math.max(0, this.searched - 3));
    this.searched = this.length;
    return end;
  }

  /** Takes away an interim answer in front of the next one. @returns as {@link add} does */
  drop(bytes: number): number {
    const rest = this.buffer.subarray(bytes, this.length);
    this.length = 0;
    this.knownStatus = null;
    this.searched = 0;
    return this.add(rest);
  }

  private append(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (!this.isOwn || length > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
      this.isOwn = true;
    }
    chunk.copy(this.buffer, this.length);
    this.length = length;
  }
}
