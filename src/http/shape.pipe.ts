import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import { badRequest, DomainError } from '../errors/domain-error.js';

/** Types of parameters that have no shape of their own. */
const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Array, Object, Buffer, undefined]);

/**
 * Checks the shape of bodies and queries against their DTO. Unknown fields are dropped; the message of a 400 names
 * each field that is wrong, its limit and what was found.
 */
@Injectable()
export class ShapePipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (metatype === undefined || PRIMITIVES.has(metatype) || (type !== 'body' && type !== 'query')) return value;
    if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      throw badRequest('the request body must be a JSON object');
    }
    const instance = instanceOf(metatype as new () => object, value ?? {});
    const errors = await validate(instance, {
      whitelist: true,
      forbidUnknownValues: false,
      stopAtFirstError: true,
      validationError: { target: false },
    });
    if (errors.length > 0) throw shapeError(errors);
    return instance;
  }
}

const AS_GIVEN = Symbol('fields as given');

/** A field whose value is taken as it came: of thousands of entries a copy costs more than everything else about them. */
export const AsGiven = (): PropertyDecorator => (target, field) => {
  Reflect.defineMetadata(AS_GIVEN, [...fieldsAsGiven(target), field], target);
};

const fieldsAsGiven = (target: object): string[] => Reflect.getMetadata(AS_GIVEN, target) ?? [];

function instanceOf(metatype: new () => object, value: object): object {
  const asGiven = new Set(fieldsAsGiven(metatype.prototype));
  const fields = Object.entries(value);
  const copied = Object.fromEntries(fields.filter(([field]) => !asGiven.has(field)));
  const kept = Object.fromEntries(fields.filter(([field]) => asGiven.has(field)));
  return Object.assign(plainToInstance(metatype, copied, { exposeDefaultValues: true }), kept);
}

/** Context key under which a decorator asks for 422 instead of 400. */
export const ANSWER_422 = 'answer422';

function shapeError(errors: ValidationError[]): DomainError {
  const faults = errors.flatMap((error) => faultsOf(error, ''));
  const message = faults.map((fault) => fault.message).join('; ');
  return faults.every((fault) => fault.is422) ? new DomainError('unprocessable_entity', message) : badRequest(message);
}

interface Fault {
  readonly message: string;
  readonly is422: boolean;
}

function faultsOf(error: ValidationError, parent: string): Fault[] {
  const path = /^\d+$/.test(error.property) ? `${parent}[${error.property}]` : joined(parent, error.property);
  const own = Object.entries(error.constraints ?? {}).map(([name, message]) => ({
    // Messages start with the property's own name; a nested one is named by its whole path.
    message: message.startsWith(error.property) ? path + message.slice(error.property.length) : `${path}: ${message}`,
    is422: Boolean((error.contexts?.[name] as Record<string, unknown> | undefined)?.[ANSWER_422]),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, path))];
}

const joined = (parent: string, property: string): string => (parent === '' ? property : `${parent}.${property}`);
