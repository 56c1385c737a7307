import { Injectable } from '@nestjs/common';
import type { MediaKind } from '../../egress/media-limits.js';
import { MediaProbe } from '../../egress/media-probe.js';
import type { SendingInput } from '../../templates/rendering/sending-input.js';
import type { Template } from '../../templates/template.entity.js';

/** Kinds of media by header format. */
const KIND_OF_FORMAT: Readonly<Record<string, MediaKind>> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' };

/** Checks the media of a template send before anything is sent. */
@Injectable()
export class SendingMediaService {
  constructor(private readonly probe: MediaProbe) {}

  /** @throws DomainError 400 naming the URL's fault: not reachable, not public, of a wrong type or too large */
  async check(
    template: Pick<Template, 'headerFormat' | 'carouselCards'>,
    input: Pick<SendingInput, 'mediaUrl' | 'carouselData'>,
  ): Promise<void> {
    const header = KIND_OF_FORMAT[template.headerFormat];
    if (header !== undefined && input.mediaUrl !== null) await this.probe.probe(input.mediaUrl, header);
    const cards = template.carouselCards ?? [];
    await Promise.all(
      cards.map(async (card, index) => {
        const kind = KIND_OF_FORMAT[card.header_format];
        const url = input.carouselData?.[index]?.mediaUrl ?? null;
        if (kind !== undefined && url !== null) await this.probe.probe(url, kind);
      }),
    );
  }
}
