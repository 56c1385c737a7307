import { pipeline, Readable } from 'node:stream';
import { constants, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * Bytes from which a response is compressed. Below, compressing takes longer than it saves. Responses that show a
 * secret, such as a new API key, are far smaller, so that the length of a compressed one never depends on a secret.
 */
const MIN_BYTES = 4096;
/** Nearly as small as zlib's default of 6, in half the time. */
const LEVEL = 4;
/** Rows reach the client while a long export is still read. */
const STREAM_OPTIONS = { level: LEVEL, flush: constants.Z_SYNC_FLUSH };

/** Events of a stream must not wait for those that follow. */
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:json|javascript|yaml|openapi)|image\/svg)|\+json/;

/**
 * Compresses large responses with gzip for clients that accept it. Streams stay streams, and small responses pass
 * through without further work.
 */
export function compressLargeResponses(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isStream = payload instanceof Readable;
    if (!isStream && !(isText(payload) && payload.length >= MIN_BYTES)) return done(null, payload);
    if (request.method === 'HEAD') {
      // Otherwise Fastify would read an export to its end for an answer without a body.
      if (isStream) payload.destroy();
      return done(null, isStream ? Readable.from([]) : payload);
    }
    if (!isCompressible(reply)) return done(null, payload);
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    if (!acceptsGzip(request.headers['accept-encoding'])) return done(null, payload);
    if (isStream) {
      markCompressed(reply);
      const compressed = createGzip(STREAM_OPTIONS);
      // A failed source destroys the compressed stream and, like a client that is gone, the other way round.
      pipeline(payload, compressed, () => undefined);
      return done(null, compressed);
    }
    gzip(payload, { level: LEVEL }, (error, compressed) => {
      if (error === null) markCompressed(reply);
      done(null, error === null ? compressed : payload);
    });
  });
}

const isText = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload);

function isCompressible(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type');
  return (
    typeof type === 'string' &&
    COMPRESSIBLE.test(type) &&
    !reply.hasHeader('content-encoding') &&
    // A part of a file is counted in uncompressed bytes.
    !reply.hasHeader('content-range')
  );
}

function markCompressed(reply: FastifyReply): void {
  reply.header('content-encoding', 'gzip');
  reply.removeHeader('content-length');
  reply.removeHeader('accept-ranges');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`);
}

/** Whether an `Accept-Encoding` header accepts gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [coding = '', weight] = item.split(';').map((part) => part.trim());
        return [coding, weight === undefined ? 1 : Number(weight.replace(/^q=/, ''))];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
