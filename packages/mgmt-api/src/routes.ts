/**
 * The table of all operations that need the management key. If two paths match a call, the first one in the table wins;
 * fixed names are therefore listed before `{name}`.
 */

import { deleteApi } from './apis/delete-api.ts'
import { getApi, listApis, listApiVersions, listDocumentVersions } from './apis/read-apis.ts'
import { addApi, addApiAt, updateApi } from './apis/write-apis.ts'
import { forgetAllKeySets, forgetKeySets, invalidateCache } from './cache/cache-operations.ts'
import { addCertificate, deleteCertificate, getCertificates, listCertificates } from './certs/certificate-operations.ts'
import { debugDefinition } from './debug/debug-definition.ts'
import { explainRequest } from './debug/explain.ts'
import { inspectConfig, inspectEnvironment } from './debug/inspect-config.ts'
import { getDocsPage, getOpenApi } from './docs/docs-operations.ts'
import { getHealth } from './health/get-health.ts'
import { getKey, listKeys, previewKey } from './keys/read-keys.ts'
import {
  changePolicies,
  createKey,
  deleteKey,
  deleteNoKey,
  putCustomKey,
  putRandomKey,
  replaceKey,
  replaceNoKey,
} from './keys/write-keys.ts'
import { addMcp, deleteMcp, getMcp, listMcps, updateMcp } from './mcps/mcp-operations.ts'
import { addDocument, importDocument } from './oas/create-documents.ts'
import { deleteDocument } from './oas/delete-document.ts'
import { getSchema } from './oas/get-schema.ts'
import { patchDocument } from './oas/patch-document.ts'
import { exportDocument, exportDocuments, getDocument, listDocuments } from './oas/read-documents.ts'
import { updateDocument } from './oas/update-document.ts'
import { getClient, listApisOfClient, listClients } from './oauth-clients/read-clients.ts'
import {
  deleteRefreshToken,
  listTokens,
  purgeTokens,
  revokeAllTokens,
  revokeToken,
} from './oauth-clients/token-operations.ts'
import { createClient, deleteClient, rotateSecret, updateClient } from './oauth-clients/write-clients.ts'
import type { Operation, TaggedOperation } from './operation.ts'
import { addOrg, deleteOrg, getOrg, listOrgs, updateOrg } from './org-keys/org-operations.ts'
import {
  addNamedPolicy,
  addPolicy,
  deleteNoPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updateNoPolicy,
  updatePolicy,
} from './policies/policy-operations.ts'
import { listNodes } from './reload/list-nodes.ts'
import { getReloadReport } from './reload/reload-report.ts'
import { reloadGroup, reloadNode } from './reload/request-reload.ts'
import { restartWorkers } from './reload/restart-workers.ts'

/** The operations by their group in the documentation. */
const operationsByTag: Readonly<Record<string, readonly Operation[]>> = {
  keys: [
    createKey,
    previewKey,
    changePolicies,
    listKeys,
    putRandomKey,
    getKey,
    putCustomKey,
    replaceKey,
    replaceNoKey,
    deleteKey,
    deleteNoKey,
  ],
  organisations: [listOrgs, getOrg, addOrg, updateOrg, deleteOrg],
  policies: [
    listPolicies,
    addPolicy,
    updateNoPolicy,
    deleteNoPolicy,
    getPolicy,
    addNamedPolicy,
    updatePolicy,
    deletePolicy,
  ],
  oas: [
    listDocuments,
    addDocument,
    importDocument,
    exportDocuments,
    getDocument,
    updateDocument,
    patchDocument,
    deleteDocument,
    exportDocument,
    listDocumentVersions,
    getSchema,
  ],
  mcps: [listMcps, addMcp, getMcp, updateMcp, deleteMcp],
  apis: [listApis, addApi, getApi, addApiAt, updateApi, deleteApi, listApiVersions],
  certs: [listCertificates, addCertificate, getCertificates, deleteCertificate],
  oauth: [
    createClient,
    listApisOfClient,
    listClients,
    getClient,
    updateClient,
    deleteClient,
    rotateSecret,
    listTokens,
    deleteRefreshToken,
    revokeToken,
    revokeAllTokens,
    purgeTokens,
  ],
  cache: [forgetAllKeySets, forgetKeySets, invalidateCache],
  reload: [reloadNode, reloadGroup, listNodes, getReloadReport, restartWorkers],
  health: [getHealth],
  debug: [explainRequest, debugDefinition, inspectConfig, inspectEnvironment],
  docs: [getDocsPage, getOpenApi],
}

export const operations: readonly TaggedOperation[] = Object.entries(operationsByTag).flatMap(([tag, listed]) =>
  listed.map((operation) => ({ tag, ...operation })),
)
