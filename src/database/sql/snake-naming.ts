import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';
import { snakeCase } from './camel-case.js';

/** Names columns like their properties, in snake_case; entities name a column only where it differs beyond that. */
export class SnakeNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, customName: string | undefined): string {
    return customName ?? snakeCase(property);
  }
}
