export const ClustersPage = () => null;
