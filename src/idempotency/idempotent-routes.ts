import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RouteInventory } from '../auth/route-inventory.js';
import { IDEMPOTENT } from './idempotent.decorator.js';

/** Fails the boot when a POST route with an API key does not honour an Idempotency-Key. */
@Injectable()
export class IdempotentRoutes implements OnApplicationBootstrap {
  constructor(private readonly inventory: RouteInventory) {}

  onApplicationBootstrap(): void {
    for (const { method, access, handler, name } of this.inventory.routes) {
      if (method === 'POST' && access.kind === 'scope' && !Reflect.hasMetadata(IDEMPOTENT, handler)) {
        throw new Error(`${name} does not declare @Idempotent; every POST route must`);
      }
    }
  }
}
