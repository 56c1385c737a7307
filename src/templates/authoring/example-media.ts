import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { MediaDownload } from '../../egress/media-download.js';
import type { MediaKind } from '../../egress/media-limits.js';
import { namingField } from '../../egress/media-source.js';
import { DomainError } from '../../errors/domain-error.js';
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

/** Uploads the example files of headers from the caller's URLs to the network. */
@Injectable()
export class ExampleMedia {
  constructor(
    private readonly download: MediaDownload,
    private readonly upstream: NetworkTemplates,
  ) {}

  /**
   * Downloads and uploads the examples of `draft` one at a time, so that a request never holds more than one file.
   *
   * @throws DomainError 400 naming the field of the URL and the problem
   */
  async upload(phone: BusinessPhone, draft: TemplateDraft | CarouselDraft): Promise<MediaHandles> {
    const handles: string[] = [];
    for (const { field, url, kind } of examplesOf(draft)) {
      try {
        handles.push(await this.download.withMedia(url, kind, (media) => this.upstream.upload(phone, media)));
      } catch (error) {
        throw withField(error, field);
      }
    }
    return handles;
  }
}

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
