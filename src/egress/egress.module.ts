import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { Room } from '../manifest/room.js';
import { EgressClient } from './egress-client.js';
import { EgressGuard } from './egress-guard.js';
import { HostResolver } from './host-resolver.js';
import { MediaDownload } from './media-download.js';
import { MediaProbe } from './media-probe.js';
import { MediaSource } from './media-source.js';

/** Guarded requests to customer-supplied URLs, and the media fetched from them. */
@Room({
  providers: [
    {
      provide: EgressGuard,
      inject: [ENVIRONMENT],
      useFactory: ({ egressAllow }: Environment) => new EgressGuard(egressAllow, new HostResolver()),
    },
    { provide: EgressClient, inject: [EgressGuard], useFactory: (guard: EgressGuard) => new EgressClient(guard) },
    { provide: MediaSource, inject: [EgressClient], useFactory: (client: EgressClient) => new MediaSource(client) },
    { provide: MediaProbe, inject: [MediaSource], useFactory: (source: MediaSource) => new MediaProbe(source) },
    { provide: MediaDownload, inject: [MediaSource], useFactory: (source: MediaSource) => new MediaDownload(source) },
  ],
  exports: [EgressGuard, EgressClient, MediaProbe, MediaDownload],
})
export class EgressModule {}
