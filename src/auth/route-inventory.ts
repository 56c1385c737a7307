import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ROUTE_ACCESS, type RouteAccess } from './scopes.js';

/** One route and its access rule. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: RouteAccess;
  /** Display name: `Controller.method (GET /path)`. */
  readonly name: string;
  /** The controller's method, with its metadata. */
  readonly handler: () => unknown;
}

/** Lists every route of the process. Boot fails when a route declares no access rule. */
@Injectable()
export class RouteInventory implements OnModuleInit {
  readonly routes: Route[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { metatype, instance } of this.discovery.getControllers()) {
      if (metatype === null || instance === undefined) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name];
        const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
        if (handler === undefined || method === undefined) continue;
        const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [handler, metatype]);
        const path = `/${[metatype, handler].map((target) => String(Reflect.getMetadata(PATH_METADATA, target) ?? '')).join('/')}`;
        const shown = `${metatype.name}.${name} (${RequestMethod[method]} ${path})`;
        if (access === undefined) throw new Error(`${shown} declares neither @RequiresScope nor @Public`);
        const route = { method: RequestMethod[method], path: path.replace(/\/{2,}/g, '/'), access };
        this.routes.push({ ...route, name: shown, handler });
      }
    }
  }
}
