import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { Room } from '../manifest/room.js';
import { DirectoryStore } from './directory-store.js';
import { DiscardedFilesSweep } from './discarded-files.sweep.js';
import { DueFilesSweep } from './due-files.sweep.js';
import { ExpiredFilesSweep } from './expired-files.sweep.js';
import { ExpiredUploadsSweep } from './expired-uploads.sweep.js';
import { FetchPool } from './fetch-pool.js';
import { FetchQueue } from './fetch-queue.js';
import { FileFetchService } from './file-fetch.service.js';
import { MediaController } from './media.controller.js';
import { MEDIA_EXAMPLES } from './media.examples.js';
import { MEDIA_FETCH } from './media.jobs.js';
import { MediaProcessor } from './media.processor.js';
import { MediaFile } from './media-file.entity.js';
import { MediaReaderService } from './media-reader.service.js';
import { fileRetentionDays } from './media-retention.js';
import { MediaServers } from './media-servers.js';
import { MediaStore } from './media-store.js';
import { MessageMedia } from './message-media.js';
import { NetworkCopies } from './network-copies.js';
import { NetworkCopy } from './network-copy.entity.js';
import { NetworkFiles } from './network-files.js';
import { NetworkUpload } from './network-upload.js';
import { OrphanedFilesSweep } from './orphaned-files.sweep.js';
import { UploadedFile } from './uploaded-file.entity.js';
import { UPLOADS_KEPT_DAYS } from './uploaded-file.queries.js';
import { UploadedFilesService } from './uploaded-files.service.js';

/**
 * Files outside the database: those of inbound messages, fetched from the network, stored, served and deleted; and those
 * that customers upload to send them by id.
 */
@Room({
  tags: [['media', 'Files to be sent by id']],
  examples: MEDIA_EXAMPLES,
  entities: [MediaFile, UploadedFile, NetworkCopy],
  personalData: { covered: ['media_files'] },
  kept: (retention) => ({
    media_files: `as long as its messages; the files ${fileRetentionDays(retention)} days`,
    uploaded_files: `${UPLOADS_KEPT_DAYS} days, or until the last campaign with it has ended`,
    network_copies: 'as long as the uploaded file',
  }),
  controllers: [MediaController],
  jobs: [MEDIA_FETCH],
  providers: [
    {
      provide: MediaStore,
      inject: [ENVIRONMENT],
      useFactory: ({ media }: Environment) => DirectoryStore.at(media.directory),
    },
    {
      provide: MediaServers,
      inject: [ENVIRONMENT],
      useFactory: ({ network, egressAllow }: Environment) => MediaServers.of(network.baseUrl, egressAllow),
    },
    FetchPool,
    FetchQueue,
    FileFetchService,
    MediaReaderService,
    MessageMedia,
    NetworkCopies,
    NetworkFiles,
    NetworkUpload,
    UploadedFilesService,
  ],
  worker: [
    MediaProcessor,
    DueFilesSweep,
    DiscardedFilesSweep,
    ExpiredFilesSweep,
    ExpiredUploadsSweep,
    OrphanedFilesSweep,
  ],
  exports: [MediaReaderService, MediaStore, MessageMedia, NetworkCopies, UploadedFilesService],
})
export class MediaModule {}
