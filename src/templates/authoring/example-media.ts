import { addAbortSignal } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { EgressError } from '../../egress/egress-error.js';
import { type DownloadedMedia, type DownloadLimits, MediaDownload } from '../../egress/media-download.js';
import { extensionOf, type MediaKind } from '../../egress/media-limits.js';
import { namingField } from '../../egress/media-source.js';
import { DomainError } from '../../errors/domain-error.js';
import { OpenRequests } from '../../http/open-requests.js';
import { type NamedUpload, UploadedFilesService } from '../../media/uploaded-files.service.js';
import type { RecordId } from '../../values/record-id.js';
import { MEDIA_KINDS } from '../rendering/template-filling.js';
import { NetworkTemplates } from '../sync/network-templates.js';
import { isMediaFormat } from '../template.js';
import { networkFailure } from '../templates.errors.js';
import type { MediaHandles } from './template-components.js';
import type { CarouselDraft, TemplateDraft } from './template-draft.js';

interface ExampleFile {
  /** The path of what names it in error messages. */
  readonly field: string;
  readonly source: { readonly url: string } | { readonly fileId: RecordId };
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
    private readonly files: UploadedFilesService,
    private readonly upstream: NetworkTemplates,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Downloads and uploads the examples of `draft` one at a time, so that a request never holds more than one file.
   *
   * @param gone aborted when the client disconnects, which ends the download
   * @throws DomainError 400 naming the field of the URL and the problem, also when the files took too long together;
   * 503 when too many requests are downloading, or this one gave way to another account's
   */
  async upload(phone: BusinessPhone, draft: TemplateDraft | CarouselDraft, gone: AbortSignal): Promise<MediaHandles> {
    const examples = examplesOf(draft);
    if (examples.length === 0) return [];
    const request = this.requests.open(phone.accountId);
    try {
      return await this.uploadAll(phone, examples, AbortSignal.any([gone, request.signal]));
    } catch (error) {
      throw request.signal.aborted ? request.signal.reason : error;
    } finally {
      request.close();
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
    for (const { field, source, kind } of examples) {
      const limits = { timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())), signal: gone };
      const use = (media: DownloadedMedia): Promise<string> => this.upstream.upload(phone, media);
      try {
        handles.push(
          'url' in source
            ? await this.download.withMedia(source.url, kind, limits, use)
            : await this.withUpload(phone.accountId, { field, fileId: source.fileId, kind }, limits, use),
        );
      } catch (error) {
        if (gone.aborted) throw clientGone();
        throw isTimeout(error) ? tooSlow(field, exampleMediaTimeoutMs, error) : withField(error, field);
      }
      if (gone.aborted) throw clientGone();
    }
    return handles;
  }

  /** Like {@link MediaDownload.withMedia}, of a file that was uploaded. */
  private async withUpload(
    accountId: string,
    named: NamedUpload,
    { timeoutMs, signal }: DownloadLimits,
    use: (media: DownloadedMedia) => Promise<string>,
  ): Promise<string> {
    const file = await this.files.require(accountId, named);
    const opened = await this.files.open(accountId, file, named.field);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const { mimeType, size } = file;
      const fileName = file.filename ?? `media.${extensionOf(named.kind, mimeType)}`;
      return await use({ mimeType, size, fileName, read: () => addAbortSignal(ended, opened.read(0, size - 1)) });
    } finally {
      await opened.close();
    }
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
    return draft.cards.map(({ headerFormat, ...card }, index) =>
      exampleOf(`cards[${index}].`, card, headerFormat === 'VIDEO' ? 'video' : 'image'),
    );
  }
  const { header } = draft;
  if (header === null || !isMediaFormat(header.format)) return [];
  return [exampleOf('', draft, MEDIA_KINDS[header.format])];
}

const exampleOf = (
  path: string,
  { mediaUrl, mediaId }: Pick<TemplateDraft, 'mediaUrl' | 'mediaId'>,
  kind: MediaKind,
): ExampleFile =>
  mediaId === null
    ? { field: `${path}media_url`, source: { url: mediaUrl ?? '' }, kind }
    : { field: `${path}media_id`, source: { fileId: mediaId }, kind };

/**
 * Replaces the download's generic `media_url` with the field that failed. A lost upload answer is safe to retry,
 * because no template has been created yet.
 */
const withField = (error: unknown, field: string): unknown =>
  error instanceof DomainError
    ? namingField(error, field)
    : networkFailure(error, `the file of ${field} was not uploaded`, 'read');
