/** `@fairlead/agent/testing` */
export { TcpProxy } from './tcp-proxy.ts';
