import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { badRequest } from '../errors/domain-error.js';
import { isOfChange } from './accepted-body.js';
import { isAbsent, isBlankText, isPlainObject } from './field-rules.js';
import { type FieldClass, fieldsOf } from './request-fields.js';
import { readLongRequest } from './request-reader.js';

/** Reads bodies and queries as their classes declare them. Arguments of other types stay as they are. */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, Promise<unknown>> {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    const isRead = (type === 'body' || type === 'query') && isFieldClass(metatype);
    if (!isRead) return value;
    const given = value === undefined || (type === 'body' && isNone(value) && needsNothing(metatype)) ? {} : value;
    if (!isPlainObject(given)) throw badRequest('the request body must be a JSON object');
    return await readLongRequest(metatype, given, type === 'query' || isOfChange(given) ? 'values' : 'absent');
  }
}

const isFieldClass = (metatype: ArgumentMetadata['metatype']): metatype is FieldClass =>
  metatype !== undefined && fieldsOf(metatype as FieldClass).length > 0;

/** Whether it is what some programs send for an empty body. */
const isNone = (value: unknown): boolean =>
  isAbsent(value) || isBlankText(value) || (Array.isArray(value) && value.length === 0);

const needsNothing = (type: FieldClass): boolean => fieldsOf(type).every(({ absent }) => absent !== 'none');
