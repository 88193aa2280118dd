/** Real servers on loopback, for the tests of every package. */
export { makeCertificates, openssl } from './certificates.ts';
export { type ChartRepositoryServer, indexOf, packChart, startChartRepository } from './chart-repository.ts';
export { debianPart } from './debian-part.ts';
export { type GitHttpOptions, type GitHttpServer, startGitHttp } from './git-http.ts';
export { type GitSshServer, startSshd } from './git-ssh.ts';
export { type GithubAppServer, startGithubApp } from './github-app-server.ts';
export { freePort, listen, untilListening } from './listen.ts';
export { type ManyRefsServer, startManyRefs } from './many-refs.ts';
export { type OciRegistry, registryUser, startRegistry } from './oci-registry.ts';
export { tarOf } from './tar-writer.ts';
export { WorkRepository } from './work-repository.ts';
