import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { UserRole } from '../accounts/user.entity.js';
import { Manifest } from '../manifest/manifest.js';
import { REQUIRED_ROLE, ROUTE_ACCESS, type RouteAccess } from './scopes.js';

/** One route and its access rule. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: RouteAccess;
  /** The role that people need at least, beside the scope. */
  readonly role: UserRole | undefined;
  /** Display name: `Controller.method (GET /path)`. */
  readonly name: string;
  readonly controller: Type;
  readonly methodName: string;
  /** The controller's method, with its metadata. */
  readonly handler: () => unknown;
}

/** Lists every route of the process. Boot fails when a route declares no access rule, or a scope that does not exist. */
@Injectable()
export class RouteInventory implements OnModuleInit {
  readonly routes: Route[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly manifest: Manifest,
  ) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype === 'function') this.routes.push(...routesOf(metatype as Type));
    }
    for (const { access, name } of this.routes) {
      const scopes = access.kind === 'scope' ? [access.scope, ...access.also] : [];
      const unknown = scopes.find((scope) => !this.manifest.scopes.includes(scope));
      if (unknown !== undefined) throw new Error(`${name} requires the scope ${unknown}, which no room declares`);
    }
  }
}

/**
 * The routes that a controller declares.
 *
 * @throws Error when one does not declare how it may be called
 */
export function routesOf(controller: Type): Route[] {
  const prototype = controller.prototype as Record<string, () => unknown>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((methodName) => {
    const handler = prototype[methodName];
    const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
    if (handler === undefined || method === undefined) return [];
    const access = new Reflector().getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [handler, controller]);
    const path = `/${[controller, handler].map((target) => String(Reflect.getMetadata(PATH_METADATA, target) ?? '')).join('/')}`;
    const name = `${controller.name}.${methodName} (${RequestMethod[method]} ${path})`;
    if (access === undefined)
      throw new Error(`${name} declares neither @RequiresScope nor @RequiresSession nor @Public`);
    return [
      {
        method: RequestMethod[method],
        path: path.replace(/\/{2,}/g, '/'),
        access,
        role: new Reflector().getAllAndOverride<UserRole | undefined>(REQUIRED_ROLE, [handler, controller]),
        name,
        controller,
        methodName,
        handler,
      },
    ];
  });
}
