import { Inject, Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../accounts/business-phones.service.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { ACCEPTED_ENCODINGS } from '../egress/content-encoding.js';
import { EgressError } from '../egress/egress-error.js';
import type { EgressDownload } from '../egress/response-sinks.js';
import { MessagingNetwork } from '../network/network.js';
import { NetworkRefusal } from '../network/network-error.js';
import { now, SECOND } from '../values/clock.js';
import { endsWithin } from '../values/ends-within.js';
import { retryAfterMs } from '../values/retry-after.js';
import type { TakenFile } from './fetch.queries.js';
import { FetchFailure } from './fetch-failure.js';
import { MediaServers } from './media-servers.js';
import { hexOf } from './message-media.js';

/** A file at the network whose bytes are arriving. */
export interface ArrivingFile {
  readonly mimeType: string | null;
  /** In lower-case hex. */
  readonly sha256: string | null;
  /** Bytes as announced; null when they are not. */
  readonly size: number | null;
  readonly bytes: AsyncIterable<Buffer>;
  /** Ends the download. */
  close(): void;
}

interface Description {
  readonly url?: unknown;
  readonly mime_type?: unknown;
  readonly sha256?: unknown;
  readonly file_size?: unknown;
}

/** The network's ids of media are digits; letters and dashes do no harm in a path. */
const MEDIA_ID = /^[\w-]{1,256}$/;
/** The network's code for ids that mean nothing to it, or nothing to this token. */
const UNKNOWN_OBJECT = 100;
/** How long a download may take: this, and what a slow line needs for its bytes. */
const BASE_MS = 30 * SECOND;
const BYTES_PER_MS = 256;

/**
 * Opens files at the network: asks for the address, which is good for five minutes, and begins to download. The token goes
 * along as the network demands, so only to the origin of `NETWORK_BASE_URL` and to public servers over https that the
 * network named in its answer; a redirect is not followed.
 */
@Injectable()
export class NetworkFiles {
  private readonly maxBytes: number;
  private readonly timeoutMs: number;

  constructor(
    private readonly network: MessagingNetwork,
    private readonly servers: MediaServers,
    private readonly phones: BusinessPhonesService,
    @Inject(ENVIRONMENT) { media, network: { timeoutMs } }: Environment,
  ) {
    this.maxBytes = media.maxBytes;
    this.timeoutMs = timeoutMs;
  }

  /** @throws FetchFailure; database errors */
  async open({ accountId, businessPhoneId, networkMediaId }: TakenFile, signal: AbortSignal): Promise<ArrivingFile> {
    if (!MEDIA_ID.test(networkMediaId)) throw new FetchFailure('refused', 'the network named it by no usable id');
    const phone = await this.phones.find(accountId, businessPhoneId);
    if (phone === null) throw new FetchFailure('again', 'the business phone that received it is not there any more');
    const token = await this.phones.token(phone);
    const { url, mime_type, sha256, file_size } = await this.describe(phone, networkMediaId, token);
    const size = sizeOf(file_size);
    if (size !== null && size > this.maxBytes) throw tooLarge(this.maxBytes, size);
    if (typeof url !== 'string') throw new FetchFailure('again', 'the network did not say where it is');
    const { body } = await this.download(url, token, size, signal);
    return {
      mimeType: typeof mime_type === 'string' ? mime_type : null,
      sha256: hexOf(sha256),
      size,
      bytes: failing(body, this.maxBytes, size),
      close: () => void body.destroy(),
    };
  }

  /**
   * The network says the same of files that are gone and of tokens without the right to see them. So a file is gone when
   * it says so after it has accepted the token: the right may have come back between the first answer and that one.
   */
  private async describe(phone: BusinessPhone, mediaId: string, token: string): Promise<Description> {
    const ask = (): Promise<Description> =>
      this.ask<Description>(`/${mediaId}?phone_number_id=${phone.phoneNumberId}`, token);
    try {
      return await ask();
    } catch (error) {
      if (!isUnknown(error) || !(await this.accepts(phone, token))) throw notDescribed(error);
    }
    try {
      return await ask();
    } catch (error) {
      throw isUnknown(error) ? new FetchFailure('gone', 'the network does not have it any more') : notDescribed(error);
    }
  }

  /** Whether the network accepts a token for its phone. */
  private async accepts({ phoneNumberId }: BusinessPhone, token: string): Promise<boolean> {
    try {
      await this.ask(`/${phoneNumberId}?fields=id`, token);
      return true;
    } catch {
      return false;
    }
  }

  /** @throws as {@link MessagingNetwork.call}, and when the answer is not complete in time */
  private async ask<Answer>(path: string, token: string): Promise<Answer> {
    const answer = this.network.call<Answer>({ method: 'GET', path, token });
    if (await endsWithin(answer, this.timeoutMs)) return answer;
    throw new Error(`it did not answer within ${this.timeoutMs / SECOND} s`);
  }

  private async download(
    url: string,
    token: string,
    size: number | null,
    signal: AbortSignal,
  ): Promise<EgressDownload> {
    let response: EgressDownload;
    try {
      response = await this.servers.download({
        url,
        headers: { authorization: `Bearer ${token}`, accept: '*/*', 'accept-encoding': ACCEPTED_ENCODINGS },
        httpsOnly: true,
        maxBytes: size ?? this.maxBytes,
        timeoutMs: BASE_MS + Math.ceil((size ?? this.maxBytes) / BYTES_PER_MS),
        signal,
      });
    } catch (error) {
      throw brokenOff(error);
    }
    const { status, headers, body } = response;
    if (status === 200) return response;
    body.destroy();
    const retry = retryAfterMs(headers['retry-after'], now());
    throw new FetchFailure('again', `the network's media server answered HTTP ${status}`, retry);
  }
}

const isUnknown = (error: unknown): boolean => error instanceof NetworkRefusal && error.code === UNKNOWN_OBJECT;

function notDescribed(error: unknown): FetchFailure {
  const retry = error instanceof NetworkRefusal ? error.retryAfterMs : null;
  return new FetchFailure('again', `the network did not say where it is: ${(error as Error).message}`, retry);
}

/** The refusal of a file that is larger than `INBOUND_MEDIA_MAX_MB`. */
export const tooLarge = (maxBytes: number, size: number | null): FetchFailure =>
  new FetchFailure(
    'too_large',
    `it is ${size === null ? `larger than ${maxBytes}` : size} bytes; at most ${maxBytes} bytes (INBOUND_MEDIA_MAX_MB) are stored`,
  );

function brokenOff(error: unknown): unknown {
  if (!(error instanceof EgressError)) return error;
  const isOfTheFile = error.kind === 'unknown_encoding' || error.kind === 'bad_encoding';
  return new FetchFailure('again', `${isOfTheFile ? 'it' : "the network's media server"} ${error.message}`);
}

/** The bytes of a body, which fail as a fetch does. */
async function* failing(body: EgressDownload['body'], maxBytes: number, size: number | null): AsyncIterable<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    if (!(error instanceof EgressError) || error.kind !== 'too_large') throw brokenOff(error);
    if (size === null) throw tooLarge(maxBytes, null);
    throw new FetchFailure('mismatch', `it has more than the ${size} bytes that the network announced`);
  }
}

/** The network writes numbers also as strings. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null;
}
