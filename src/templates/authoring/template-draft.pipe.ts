import { Injectable, type PipeTransform } from '@nestjs/common';
import { readTemplateDraft } from './draft-reader.js';
import type { TemplateDraft } from './template-draft.js';

/** Reads the body of `POST /templates/create`. */
@Injectable()
export class TemplateDraftPipe implements PipeTransform<unknown, TemplateDraft> {
  transform(body: unknown): TemplateDraft {
    return readTemplateDraft(body);
  }
}
