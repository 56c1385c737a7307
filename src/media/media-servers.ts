import { EgressClient } from '../egress/egress-client.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { HostResolver } from '../egress/host-resolver.js';

/** More sockets than files that are fetched at once. */
const CONNECTIONS = 32;

/**
 * The client for the addresses of files that the network names: at the network itself, which may be anywhere, or at public
 * servers over https. Everything else is refused like a customer's URL, so an answer cannot lead into our own network.
 */
export class MediaServers extends EgressClient {
  private constructor(private readonly ownGuard: EgressGuard) {
    super(ownGuard, { connectionsPerOrigin: CONNECTIONS });
  }

  /** @param networkUrl `NETWORK_BASE_URL` @param allow `EGRESS_ALLOW` */
  static of(networkUrl: string, allow: readonly string[]): MediaServers {
    return new MediaServers(new EgressGuard(allow, new HostResolver(), new URL(networkUrl)));
  }

  override async onApplicationShutdown(): Promise<void> {
    this.ownGuard.onApplicationShutdown();
    await super.onApplicationShutdown();
  }
}
