import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { badRequest } from '../errors/domain-error.js';
import { type ContactRef, readContactRef } from './contact-ref.js';

/** Parses the contact in a path: a phone number in digits, or the network's user id. */
@Injectable()
export class ContactRefPipe implements PipeTransform<unknown, ContactRef> {
  transform(value: unknown, { data }: ArgumentMetadata): ContactRef {
    const contact = readContactRef(value);
    if (contact === null) {
      throw badRequest(
        `invalid ${data ?? 'contact'}: it must be 7 to 15 digits with the country code first, without +, ` +
          `or the network's user id (got ${String(value).slice(0, 60)})`,
      );
    }
    return contact;
  }
}

/** Documents the contact in a path. */
export const ContactInPath = (): MethodDecorator =>
  ApiParam({
    name: 'contact_phone',
    type: String,
    description:
      'Digits with the country code, no +; or the network’s user id of the person, such as US.13491208655302741918',
  });
