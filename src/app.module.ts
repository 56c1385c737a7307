import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AccountsModule } from './accounts/accounts.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuditActorInterceptor } from './audit/audit-actor.interceptor.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { ScopeGuard } from './auth/scope.guard.js';
import { BusinessPhonesModule } from './business-phones/business-phones.module.js';
import { CampaignsModule } from './campaigns/campaigns.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { CountersModule } from './counters/counters.module.js';
import { DatabaseModule } from './database/database.module.js';
import { EgressModule } from './egress/egress.module.js';
import { ENTITIES } from './entities.js';
import { GroupsModule } from './groups/groups.module.js';
import { BacklogMetrics } from './health/backlog-metrics.js';
import { HealthController } from './health/health.controller.js';
import { Health } from './health/health.js';
import { WorkerMetrics } from './health/worker-metrics.js';
import { ErrorFilter } from './http/error.filter.js';
import { IgnoredFields } from './http/ignored-fields.js';
import { RequestBodyInterceptor } from './http/request-body.interceptor.js';
import { RequestValidationPipe } from './http/request-validation.pipe.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { InboundModule } from './inbound/inbound.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { NetworkModule } from './network/network.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { PersonalDataModule } from './personal-data/personal-data.module.js';
import type { QueueBackend } from './queues/queue-backend.js';
import { QueuesModule } from './queues/queues.module.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import type { Metrics } from './runtime/metrics.js';
import { RuntimeModule } from './runtime/runtime.module.js';
import type { Shutdown } from './runtime/shutdown.js';
import { TemplatesModule } from './templates/templates.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The parts that a process passes into its modules. */
export interface AppParts {
  readonly environment: Environment;
  readonly backend: QueueBackend;
  readonly shutdown: Shutdown;
  readonly metrics: Metrics;
}

/** Composes the modules of one process according to its roles. */
@Module({})
export class AppModule {
  static register({ environment, backend, shutdown, metrics }: AppParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(environment),
        RuntimeModule.register(shutdown, metrics),
        DatabaseModule.register(environment, ENTITIES),
        QueuesModule.register(backend),
        EgressModule,
        OutboxModule,
        CountersModule.register(environment),
        NetworkModule,
        AccountsModule,
        AuthModule,
        RateLimitModule.register(environment),
        IdempotencyModule.register(environment),
        AuditModule,
        ContactsModule,
        GroupsModule.register(environment),
        AgentsModule,
        ApiKeysModule,
        ConversationsModule,
        BusinessPhonesModule.register(environment),
        TemplatesModule,
        WebhooksModule.register(environment),
        MessagesModule.register(environment),
        CampaignsModule.register(environment),
        InboundModule.register(environment),
        UpkeepModule.register(environment),
        PersonalDataModule.register(environment),
      ],
      controllers: [HealthController],
      providers: [
        Health,
        BacklogMetrics,
        WorkerMetrics,
        IgnoredFields,
        // Guards run in this order: authentication (401), rate limit (429), scopes (403).
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_INTERCEPTOR, useClass: RequestBodyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AuditActorInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
