import { Injectable, type PipeTransform } from '@nestjs/common';
import { readCarouselDraft, readTemplateDraft } from './draft-reader.js';
import type { CarouselDraft, TemplateDraft } from './template-draft.js';

/** Reads the body of create template. */
@Injectable()
export class TemplateDraftPipe implements PipeTransform<unknown, TemplateDraft> {
  transform(body: unknown): TemplateDraft {
    return readTemplateDraft(body);
  }
}

/** Reads the body of create carousel template. */
@Injectable()
export class CarouselDraftPipe implements PipeTransform<unknown, CarouselDraft> {
  transform(body: unknown): CarouselDraft {
    return readCarouselDraft(body);
  }
}
