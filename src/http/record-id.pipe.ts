import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { badRequest } from '../errors/domain-error.js';
import { isPhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { isRecordId, type RecordId } from '../values/record-id.js';

/** A record id in a path; a malformed one is 400 (D1). */
@Injectable()
export class RecordIdPipe implements PipeTransform<unknown, RecordId> {
  transform(value: unknown, { data }: ArgumentMetadata): RecordId {
    if (!isRecordId(value)) throw badRequest(`invalid ${data ?? 'id'}: ${String(value).slice(0, 60)} is not an id`);
    return value;
  }
}

/** A contact's phone in a path: digits only (D5). */
@Injectable()
export class PhoneNumberPipe implements PipeTransform<unknown, PhoneNumber> {
  transform(value: unknown, { data }: ArgumentMetadata): PhoneNumber {
    if (!isPhoneNumber(value)) {
      throw badRequest(
        `invalid ${data ?? 'phone'}: it must be 7 to 15 digits with the country code first, without + (got ${String(value).slice(0, 60)})`,
      );
    }
    return value;
  }
}
