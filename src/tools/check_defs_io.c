/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_GlobalDefReaderCallbacks.h: I/O, paradigms, call paths. */
#include "tools/check_defs.h"

static OTF2_CallbackCode on_source_location(void *user, OTF2_SourceCodeLocationRef self,
                                            OTF2_StringRef file, uint32_t line)
{
    (void)user, (void)line;
    mpiot_defs_add(MPIOT_KIND_SOURCE_LOCATION, self, file);
    mpiot_defs_need(MPIOT_KIND_SOURCE_LOCATION, self, "file", MPIOT_KIND_STRING, file);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_calling_context(void *user, OTF2_CallingContextRef self,
                                            OTF2_RegionRef region,
                                            OTF2_SourceCodeLocationRef source,
                                            OTF2_CallingContextRef parent)
{
    (void)user;
    struct mpiot_def *def = mpiot_defs_add(MPIOT_KIND_CALLING_CONTEXT, self, OTF2_UNDEFINED_STRING);
    def->context.region = region;
    def->context.parent = parent;
    mpiot_defs_need(MPIOT_KIND_CALLING_CONTEXT, self, "region", MPIOT_KIND_REGION, region);
    mpiot_defs_allow(MPIOT_KIND_CALLING_CONTEXT, self, "sourceCodeLocation",
                     MPIOT_KIND_SOURCE_LOCATION, source);
    mpiot_defs_allow(MPIOT_KIND_CALLING_CONTEXT, self, "parent", MPIOT_KIND_CALLING_CONTEXT,
                     parent);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_calling_context_property(void *user, OTF2_CallingContextRef context,
                                                     OTF2_StringRef name, OTF2_Type type,
                                                     OTF2_AttributeValue value)
{
    (void)user;
    mpiot_defs_property(MPIOT_KIND_CALLING_CONTEXT, context, name, type, value);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_interrupt_generator(void *user, OTF2_InterruptGeneratorRef self,
                                                OTF2_StringRef name,
                                                OTF2_InterruptGeneratorMode mode, OTF2_Base base,
                                                int64_t exponent, uint64_t period)
{
    (void)user, (void)mode, (void)base, (void)exponent, (void)period;
    mpiot_defs_add(MPIOT_KIND_INTERRUPT_GENERATOR, self, name);
    mpiot_defs_need(MPIOT_KIND_INTERRUPT_GENERATOR, self, "name", MPIOT_KIND_STRING, name);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_io_paradigm(void *user, OTF2_IoParadigmRef self,
                                        OTF2_StringRef identification, OTF2_StringRef name,
                                        OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags,
                                        uint8_t count, const OTF2_IoParadigmProperty *properties,
                                        const OTF2_Type *types, const OTF2_AttributeValue *values)
{
    (void)user, (void)properties;
    struct mpiot_def *def = mpiot_defs_add(MPIOT_KIND_IO_PARADIGM, self, identification);
    def->paradigm.class = class;
    def->paradigm.flags = flags;
    mpiot_defs_need(MPIOT_KIND_IO_PARADIGM, self, "identification", MPIOT_KIND_STRING,
                    identification);
    mpiot_defs_need(MPIOT_KIND_IO_PARADIGM, self, "name", MPIOT_KIND_STRING, name);
    for (uint8_t i = 0; i < count; i++)
        mpiot_defs_need_value(MPIOT_KIND_IO_PARADIGM, self, "property value", types[i], values[i]);
    return OTF2_CALLBACK_SUCCESS;
}

/** Files and directories share their identifiers. */
static OTF2_CallbackCode on_io_file(void *user, OTF2_IoFileRef self, OTF2_StringRef name,
                                    OTF2_SystemTreeNodeRef scope)
{
    (void)user;
    mpiot_defs_add(MPIOT_KIND_IO_FILE, self, name);
    mpiot_defs_need(MPIOT_KIND_IO_FILE, self, "name", MPIOT_KIND_STRING, name);
    mpiot_defs_allow(MPIOT_KIND_IO_FILE, self, "scope", MPIOT_KIND_SYSTEM_TREE_NODE, scope);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_io_file_property(void *user, OTF2_IoFileRef file, OTF2_StringRef name,
                                             OTF2_Type type, OTF2_AttributeValue value)
{
    (void)user;
    mpiot_defs_add(MPIOT_KIND_IO_FILE_PROPERTY, (uint64_t)file << 32 | name, name);
    mpiot_defs_property(MPIOT_KIND_IO_FILE, file, name, type, value);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_io_handle(void *user, OTF2_IoHandleRef self, OTF2_StringRef name,
                                      OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                                      OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                      OTF2_IoHandleRef parent)
{
    (void)user;
    struct mpiot_def *def = mpiot_defs_add(MPIOT_KIND_IO_HANDLE, self, name);
    def->handle.file = file;
    def->handle.paradigm = paradigm;
    def->handle.flags = flags;
    def->handle.comm = comm;
    mpiot_defs_allow(MPIOT_KIND_IO_HANDLE, self, "name", MPIOT_KIND_STRING, name);
    mpiot_defs_allow(MPIOT_KIND_IO_HANDLE, self, "file", MPIOT_KIND_IO_FILE, file);
    mpiot_defs_need(MPIOT_KIND_IO_HANDLE, self, "ioParadigm", MPIOT_KIND_IO_PARADIGM, paradigm);
    mpiot_defs_allow(MPIOT_KIND_IO_HANDLE, self, "comm", MPIOT_KIND_COMM, comm);
    mpiot_defs_allow(MPIOT_KIND_IO_HANDLE, self, "parent", MPIOT_KIND_IO_HANDLE, parent);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_pre_created_state(void *user, OTF2_IoHandleRef handle,
                                              OTF2_IoAccessMode mode, OTF2_IoStatusFlag flags)
{
    (void)user, (void)mode, (void)flags;
    mpiot_defs_add(MPIOT_KIND_PRE_CREATED_STATE, handle, OTF2_UNDEFINED_STRING);
    mpiot_defs_need(MPIOT_KIND_PRE_CREATED_STATE, handle, "ioHandle", MPIOT_KIND_IO_HANDLE, handle);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_paradigm(void *user, OTF2_Paradigm paradigm, OTF2_StringRef name,
                                     OTF2_ParadigmClass class)
{
    (void)user, (void)class;
    mpiot_defs_add(MPIOT_KIND_PARADIGM, paradigm, name);
    mpiot_defs_need(MPIOT_KIND_PARADIGM, paradigm, "name", MPIOT_KIND_STRING, name);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_callsite(void *user, OTF2_CallsiteRef self, OTF2_StringRef file,
                                     uint32_t line, OTF2_RegionRef entered, OTF2_RegionRef left)
{
    (void)user, (void)line;
    mpiot_defs_add(MPIOT_KIND_CALLSITE, self, OTF2_UNDEFINED_STRING);
    mpiot_defs_need(MPIOT_KIND_CALLSITE, self, "sourceFile", MPIOT_KIND_STRING, file);
    mpiot_defs_need(MPIOT_KIND_CALLSITE, self, "enteredRegion", MPIOT_KIND_REGION, entered);
    mpiot_defs_need(MPIOT_KIND_CALLSITE, self, "leftRegion", MPIOT_KIND_REGION, left);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_callpath_parameter(void *user, OTF2_CallpathRef callpath,
                                               OTF2_ParameterRef parameter, OTF2_Type type,
                                               OTF2_AttributeValue value)
{
    (void)user;
    mpiot_defs_need(MPIOT_KIND_CALLPATH, callpath, "parameter", MPIOT_KIND_CALLPATH, callpath);
    mpiot_defs_need(MPIOT_KIND_CALLPATH, callpath, "parameter", MPIOT_KIND_PARAMETER, parameter);
    mpiot_defs_need_value(MPIOT_KIND_CALLPATH, callpath, "parameter value", type, value);
    return OTF2_CALLBACK_SUCCESS;
}

void mpiot_check_definitions_io(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(callbacks, on_source_location);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_calling_context);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextPropertyCallback(callbacks,
                                                                    on_calling_context_property);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, on_interrupt_generator);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(callbacks, on_io_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(callbacks, on_io_file);
    OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(callbacks, on_io_file);
    OTF2_GlobalDefReaderCallbacks_SetIoFilePropertyCallback(callbacks, on_io_file_property);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_io_handle);
    OTF2_GlobalDefReaderCallbacks_SetIoPreCreatedHandleStateCallback(callbacks,
                                                                     on_pre_created_state);
    OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(callbacks, on_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetCallsiteCallback(callbacks, on_callsite);
    OTF2_GlobalDefReaderCallbacks_SetCallpathParameterCallback(callbacks, on_callpath_parameter);
}
