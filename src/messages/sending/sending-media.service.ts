import { Injectable } from '@nestjs/common';
import { MediaProbe } from '../../egress/media-probe.js';
import { namingField } from '../../egress/media-source.js';
import type { NeededMedia } from '../../templates/rendering/template-filling.js';

/** Probes the media of a template message before it is sent. */
@Injectable()
export class SendingMediaService {
  constructor(private readonly probe: MediaProbe) {}

  /** @throws DomainError 400 naming the field of a URL that is unreachable, not public, of the wrong type or too large */
  async check(media: readonly NeededMedia[]): Promise<void> {
    await Promise.all(media.map((each) => this.checkOne(each)));
  }

  private async checkOne({ field, url, kind }: NeededMedia): Promise<void> {
    try {
      await this.probe.probe(url, kind);
    } catch (error) {
      throw namingField(error, field);
    }
  }
}
