import { MINUTE, SECOND } from '../../src/values/clock.js';
import { urlOrNull } from '../../src/values/parse-url.js';
import { isObject, type JsonObject } from '../json-object.js';
import { HEAD_BYTES, MEDIA_KINDS, maxBytesOf, suits } from './media-types.js';

/** How long the network keeps a linked file before it fetches it again. */
const CACHED = 10 * MINUTE;
const MAX_CACHED = 1000;
const TIMEOUT = 10 * SECOND;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

interface Link {
  kind: string;
  url: string;
}

/** The files that a message links, wherever they stand in it. */
function* linksIn(value: unknown): Generator<Link> {
  if (Array.isArray(value)) for (const item of value) yield* linksIn(item);
  if (!isObject(value)) return;
  for (const [name, part] of Object.entries(value)) {
    if (MEDIA_KINDS.includes(name) && isObject(part) && typeof part.link === 'string') {
      yield { kind: name, url: part.link };
    }
    yield* linksIn(part);
  }
}

/** The first bytes of a body; the rest is not read. */
async function headOf(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Fetches the files that messages link, and judges them by the type under which they are served and by their bytes. Only
 * those on this machine, because the simulator never contacts another one: all others count as usable.
 */
export class MediaLinks {
  private readonly judged = new Map<string, { usable: Promise<boolean>; at: number }>();

  /** Whether the network can use every file that the message links. */
  async areUsable(message: JsonObject): Promise<boolean> {
    const links = [...linksIn(message)].filter(({ url }) => LOOPBACK.test(urlOrNull(url)?.hostname ?? ''));
    if (links.length === 0) return true;
    return (await Promise.all(links.map((link) => this.isUsable(link)))).every(Boolean);
  }

  reset(): void {
    this.judged.clear();
  }

  private isUsable(link: Link): Promise<boolean> {
    const key = `${link.kind} ${link.url}`;
    const known = this.judged.get(key);
    if (known && Date.now() - known.at < CACHED) return known.usable;
    if (this.judged.size >= MAX_CACHED) this.judged.clear();
    const usable = this.judge(link).catch(() => false);
    this.judged.set(key, { usable, at: Date.now() });
    return usable;
  }

  private async judge({ kind, url }: Link): Promise<boolean> {
    const aborter = new AbortController();
    const timer = setTimeout(() => aborter.abort(), TIMEOUT);
    try {
      const { ok, headers, body } = await fetch(url, { signal: aborter.signal });
      const head = body ? await headOf(body) : Buffer.of();
      const size = Number(headers.get('content-length') ?? 0);
      return ok && suits(kind, headers.get('content-type') ?? '', head) && size <= maxBytesOf(kind, head);
    } finally {
      clearTimeout(timer);
      aborter.abort();
    }
  }
}
