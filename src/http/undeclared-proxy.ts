import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    undeclaredProxy: UndeclaredProxy;
  }
}

/** What an operator reads in the log and in `/health/ready`. */
export const UNDECLARED_PROXY =
  'a request came through a proxy that TRUST_PROXY does not declare: all its clients count as one address, so 30 failed ' +
  'authentications of one block all of them. Set TRUST_PROXY to the number of proxies in front, or to their addresses';

/**
 * Notices requests of proxies whose reports of the caller's address are not trusted. Once per process: clients can
 * write these headers too, and must not fill the log.
 */
export class UndeclaredProxy {
  private isSeen = false;

  /** Looks at the requests of `server`, and logs the first one. */
  static attach(server: FastifyInstance): void {
    const proxy = new UndeclaredProxy();
    server.decorate('undeclaredProxy', proxy);
    server.addHook('onRequest', (request, _reply, done) => {
      proxy.look(request);
      done();
    });
  }

  /** Warnings for the operator; empty when there is nothing to say. */
  get warnings(): string[] {
    return this.isSeen ? [UNDECLARED_PROXY] : [];
  }

  private look({ headers, ips, log }: FastifyRequest): void {
    if (this.isSeen || !(headers['x-forwarded-for'] || headers.forwarded)) return;
    // The first address is that of the connection; others follow only if it is trusted.
    if (ips !== undefined && ips.length > 1) return;
    this.isSeen = true;
    log.warn(UNDECLARED_PROXY);
  }
}
