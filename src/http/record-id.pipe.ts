import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { badRequest } from '../errors/domain-error.js';
import { isRecordId, type RecordId } from '../values/record-id.js';

/** Checks a record id in the path. A malformed one is a 400. */
@Injectable()
export class RecordIdPipe implements PipeTransform<unknown, RecordId> {
  transform(value: unknown, { data }: ArgumentMetadata): RecordId {
    if (!isRecordId(value)) throw badRequest(`invalid ${data ?? 'id'}: ${String(value).slice(0, 60)} is not an id`);
    return value;
  }
}
