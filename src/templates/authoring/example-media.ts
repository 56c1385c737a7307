import { Inject, Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { EgressError } from '../../egress/egress-error.js';
import { MediaDownload } from '../../egress/media-download.js';
import type { MediaKind } from '../../egress/media-limits.js';
import { namingField } from '../../egress/media-source.js';
import { DomainError } from '../../errors/domain-error.js';
import { OpenRequests } from '../../http/open-requests.js';
import { MEDIA_KINDS } from '../rendering/template-filling.js';
import { NetworkTemplates } from '../sync/network-templates.js';
import { isMediaFormat } from '../template.js';
import { networkFailure } from '../templates.errors.js';
import type { MediaHandles } from './template-components.js';
import type { CarouselDraft, TemplateDraft } from './template-draft.js';

interface ExampleFile {
  /** The path of its URL in error messages. */
  readonly field: string;
  readonly url: string;
  readonly kind: MediaKind;
}

/** Requests of one account that download examples at once in this process. */
const MAX_OPEN_PER_ACCOUNT = 4;
/** The same of all accounts: at most 1.6 GB of temporary files. */
const MAX_OPEN = 16;

/**
 * Uploads the example files of headers from the caller's URLs to the network. All files of a request share one
 * deadline, and the number of requests that download is limited, because the customer's servers decide how long each
 * file takes.
 */
@Injectable()
export class ExampleMedia {
  private readonly requests = new OpenRequests({
    maxPerAccount: MAX_OPEN_PER_ACCOUNT,
    max: MAX_OPEN,
    of: 'requests with example media',
    consequence: 'the template was not created',
  });

  constructor(
    private readonly download: MediaDownload,
    private readonly upstream: NetworkTemplates,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Downloads and uploads the examples of `draft` one at a time, so that a request never holds more than one file.
   *
   * @param gone aborted when the client disconnects, which ends the download
   * @throws DomainError 400 naming the field of the URL and the problem, also when the files took too long together;
   * 503 when too many requests are downloading
   */
  async upload(phone: BusinessPhone, draft: TemplateDraft | CarouselDraft, gone: AbortSignal): Promise<MediaHandles> {
    const examples = examplesOf(draft);
    if (examples.length === 0) return [];
    const close = this.requests.open(phone.accountId);
    try {
      return await this.uploadAll(phone, examples, gone);
    } finally {
      close();
    }
  }

  private async uploadAll(
    phone: BusinessPhone,
    examples: readonly ExampleFile[],
    gone: AbortSignal,
  ): Promise<MediaHandles> {
    const { exampleMediaTimeoutMs } = this.environment;
    const deadline = performance.now() + exampleMediaTimeoutMs;
    const handles: string[] = [];
    for (const { field, url, kind } of examples) {
      const limits = { timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())), signal: gone };
      try {
        handles.push(await this.download.withMedia(url, kind, limits, (media) => this.upstream.upload(phone, media)));
      } catch (error) {
        if (gone.aborted) throw clientGone();
        throw isTimeout(error) ? tooSlow(field, exampleMediaTimeoutMs, error) : withField(error, field);
      }
      if (gone.aborted) throw clientGone();
    }
    return handles;
  }
}

/** Nobody reads this; it releases the idempotency key, so that the request can be repeated. */
const clientGone = (): DomainError =>
  new DomainError('unavailable', 'the client disconnected; the template was not created');

const isTimeout = (error: unknown): boolean =>
  error instanceof DomainError && error.cause instanceof EgressError && error.cause.kind === 'timeout';

const tooSlow = (field: string, timeoutMs: number, cause: unknown): DomainError =>
  new DomainError(
    'bad_request',
    `Media download failed: ${field} was not complete ${timeoutMs / 1000} s after the request began, the maximum for all its media`,
    { cause },
  );

function examplesOf(draft: TemplateDraft | CarouselDraft): ExampleFile[] {
  if (draft.kind === 'carousel') {
    return draft.cards.map(({ headerFormat, mediaUrl }, index) => ({
      field: `cards[${index}].media_url`,
      url: mediaUrl ?? '',
      kind: headerFormat === 'VIDEO' ? 'video' : 'image',
    }));
  }
  const { header, mediaUrl } = draft;
  if (header === null || !isMediaFormat(header.format)) return [];
  return [{ field: 'media_url', url: mediaUrl ?? '', kind: MEDIA_KINDS[header.format] }];
}

/**
 * Replaces the download's generic `media_url` with the field that failed. A lost upload answer is safe to retry,
 * because no template has been created yet.
 */
const withField = (error: unknown, field: string): unknown =>
  error instanceof DomainError && error.code === 'bad_request'
    ? namingField(error, field)
    : networkFailure(error, `the file of ${field} was not uploaded`, 'read');
