export { ApiProblem, type Client, type ClientOptions, createClient, type OperationId } from './client.ts';
export { type FleetEvent, type FollowOptions, followEvents, parseEvent, readEvents } from './events.ts';
export * from './generated.ts';
