export { decodeEnvelope as decodeProtobuf, type ExpectedKind, isEnvelope, protobufType } from './envelope.ts';
export { encodeProtobuf, encodeWatchFrame, hasProtobuf } from './frames.ts';
