import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { EgressGuard } from '../../egress/egress-guard.js';
import { documentNameFor } from '../../egress/file-name.js';
import { MediaProbe, type ProbedMedia } from '../../egress/media-probe.js';
import { namingField } from '../../egress/media-source.js';
import { stillUploading, uploadFailure } from '../../media/media.errors.js';
import { NetworkCopies } from '../../media/network-copies.js';
import type { UploadedFile } from '../../media/uploaded-file.entity.js';
import { UploadedFilesService } from '../../media/uploaded-files.service.js';
import type { NeededMedia } from '../../templates/rendering/template-filling.js';
import { SECOND } from '../../values/clock.js';
import { endsWithin } from '../../values/ends-within.js';
import type { RecordId } from '../../values/record-id.js';

/** How long a request waits for a file to be uploaded to the network. */
const UPLOAD_PATIENCE_MS = 20 * SECOND;

/** What is known of a file by a look at it. */
export type SeenMedia = ProbedMedia | UploadedFile;

type Looking = (media: NeededMedia) => Promise<SeenMedia>;

/** Checks the media of a message before it is sent, and has uploaded files where the network wants them. */
@Injectable()
export class SendingMediaService {
  constructor(
    private readonly probe: MediaProbe,
    private readonly guard: EgressGuard,
    private readonly files: UploadedFilesService,
    private readonly copies: NetworkCopies,
  ) {}

  /** Makes no network request. @throws EgressError when the URL is visibly not public */
  inspect(url: string): void {
    this.guard.inspect(url);
  }

  /**
   * @returns the name, by its type, of a document that has none; null when nothing lacks one
   * @throws DomainError 400 naming the field of a URL that is unreachable, not public, of the wrong type or too large;
   *   404 for an unknown or expired `media_id`
   */
  check(accountId: string, media: readonly NeededMedia[]): Promise<string | null> {
    return checkAll(media, (each) => this.look(accountId, each));
  }

  /** A look at one file. @throws DomainError as {@link check} */
  async look(accountId: string, media: NeededMedia): Promise<SeenMedia> {
    try {
      if ('fileId' in media) return await this.files.require(accountId, media);
      return await this.probe.probe(media.url, media.kind);
    } catch (error) {
      throw namingField(error, media.field);
    }
  }

  /** Like {@link check} for a campaign: looks at files again even if the last look is recent; its uploads do not expire. */
  checkAgain(accountId: string, media: readonly NeededMedia[]): Promise<string | null> {
    return checkAll(media, (each) =>
      'url' in each ? this.probe.probeAgain(each.url, each.kind) : this.files.require(accountId, each, true),
    );
  }

  /**
   * Waits until the phone can send the uploaded files among these.
   *
   * @throws DomainError 400 when the network refuses one, 503 when it does not take it now
   */
  async upload(phone: BusinessPhone, media: readonly NeededMedia[]): Promise<void> {
    const fileIds = uploadsIn(media);
    if (fileIds.length === 0 || this.copies.idsFor(phone, fileIds) !== null) return;
    const field = media.find((each) => 'fileId' in each)?.field ?? '';
    try {
      if (await endsWithin(this.copies.ensure(phone, fileIds), UPLOAD_PATIENCE_MS)) return;
    } catch (error) {
      throw uploadFailure(error, field);
    }
    throw stillUploading(field);
  }
}

/** The uploaded files among some media. */
export const uploadsIn = (media: readonly NeededMedia[]): RecordId[] =>
  media.flatMap((each) => ('fileId' in each ? [each.fileId] : []));

/** The name of a document that has none; null when it lacks none. */
export function nameOf({ isNameless }: NeededMedia, seen: SeenMedia): string | null {
  if (!isNameless) return null;
  return ('filename' in seen ? seen.filename : null) ?? documentNameFor(seen.mimeType);
}

async function checkAll(media: readonly NeededMedia[], looking: Looking): Promise<string | null> {
  const names = await Promise.all(media.map((each) => checkOne(each, looking)));
  return names.find((name) => name !== null) ?? null;
}

async function checkOne(media: NeededMedia, looking: Looking): Promise<string | null> {
  try {
    return nameOf(media, await looking(media));
  } catch (error) {
    throw namingField(error, media.field);
  }
}
