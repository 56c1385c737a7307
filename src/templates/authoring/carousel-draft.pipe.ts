import { Injectable, type PipeTransform } from '@nestjs/common';
import { readCarouselDraft } from './draft-reader.js';
import type { CarouselDraft } from './template-draft.js';

/** Reads the body of `POST /templates/create-carousel`. */
@Injectable()
export class CarouselDraftPipe implements PipeTransform<unknown, CarouselDraft> {
  transform(body: unknown): CarouselDraft {
    return readCarouselDraft(body);
  }
}
