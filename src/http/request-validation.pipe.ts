import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidatorPackage } from '@nestjs/common/interfaces/external/validator-package.interface.js';
import { classToPlain, plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationError, validate } from 'class-validator';
import { badRequest, DomainError } from '../errors/domain-error.js';
import { isPlainObject } from './field-rules.js';

/**
 * Validates bodies and queries against their DTO classes. Unknown fields are dropped. The message of a 400 names each
 * wrong field, its limit and its value.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      stopAtFirstError: true,
      exceptionFactory: validationError,
      // Given, or the pipe would import the package by its name, which the bundle of the libraries doesn't know.
      validatorPackage: { getMetadataStorage, validate } as ValidatorPackage,
      transformerPackage: { plainToInstance: instanceOf, classToPlain },
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (value !== undefined && !isPlainObject(value) && this.toValidate(metadata)) {
      throw badRequest('the request body must be a JSON object');
    }
    return await super.transform(value, metadata);
  }

  protected override toValidate(metadata: ArgumentMetadata): boolean {
    return (metadata.type === 'body' || metadata.type === 'query') && super.toValidate(metadata);
  }
}

const AS_GIVEN = Symbol('fields as given');

/** Takes a field's value without copying it. With thousands of entries, the copy costs more than all other work. */
export const AsGiven = (): PropertyDecorator => (target, field) => {
  Reflect.defineMetadata(AS_GIVEN, [...fieldsAsGiven(target), field], target);
};

const fieldsAsGiven = (target: object): string[] => Reflect.getMetadata(AS_GIVEN, target) ?? [];

function instanceOf<T>(metatype: new (...args: never[]) => T, value: unknown): T {
  const asGiven = new Set(fieldsAsGiven(metatype.prototype));
  const fields = Object.entries(value as object);
  const copied = Object.fromEntries(fields.filter(([field]) => !asGiven.has(field)));
  const kept = Object.fromEntries(fields.filter(([field]) => asGiven.has(field)));
  return Object.assign(plainToInstance(metatype as new () => T & object, copied, { exposeDefaultValues: true }), kept);
}

/** Context key with which a decorator turns its 400 into a 422. */
export const ANSWER_422 = 'answer422';

function validationError(errors: ValidationError[]): DomainError {
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
