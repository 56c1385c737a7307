import { Injectable } from '@nestjs/common';
import { MediaProbe } from '../../egress/media-probe.js';
import type { NeededMedia } from '../../templates/rendering/template-filling.js';

/** Probes the media of a template message before it is sent. */
@Injectable()
export class SendingMediaService {
  constructor(private readonly probe: MediaProbe) {}

  /** @throws DomainError 400 for a URL that is unreachable, not public, of the wrong type or too large */
  async check(media: readonly NeededMedia[]): Promise<void> {
    await Promise.all(media.map(({ url, kind }) => this.probe.probe(url, kind)));
  }
}
