/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that are neither regions nor I/O: that what they refer to is defined. */
#include <inttypes.h>

#include "tools/check_events.h"
#include "tools/check_report.h"

/* Most of what OTF2 passes to a callback is no business of a checker. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static void check_flush(const struct mpiot_event *event, OTF2_TimeStamp stop)
{
    if (stop < event->time)
        mpiot_event_problem(event, "", "stops before it starts, at time %" PRIu64, stop);
}

/** Where a process was told not to record, its collectives need not agree with those of others. */
static void note_measurement(OTF2_MeasurementMode mode)
{
    if (mode == OTF2_MEASUREMENT_OFF)
        mpiot_check_archive.incomplete = true;
}

static void check_program_begin(const struct mpiot_event *event, OTF2_StringRef name,
                                uint32_t count, const OTF2_StringRef *arguments)
{
    struct mpiot_process *process = event->location->process;

    mpiot_event_need(event, MPIOT_KIND_STRING, name);
    for (uint32_t i = 0; i < count; i++)
        mpiot_event_need(event, MPIOT_KIND_STRING, arguments[i]);
    if (process->has_begun)
        mpiot_event_problem(event, "", "a second one in its process");
    else if (process->first_time < event->time)
        mpiot_event_problem(event, "", "its process has a record before it, of time %" PRIu64,
                            process->first_time);
    process->has_begun = true;
}

static void check_program_end(const struct mpiot_event *event)
{
    struct mpiot_process *process = event->location->process;

    if (process->has_ended)
        mpiot_event_problem(event, "", "a second one in its process");
    process->has_ended = true;
    process->end_time = event->time;
}

#define NEED(kind, id) mpiot_event_need(&event, MPIOT_KIND_##kind, id)

/** The records: name, parameters behind those that all have, checks. */
#define RECORDS(R)                                                                                 \
    R(BufferFlush, (, OTF2_TimeStamp stop), check_flush(&event, stop))                             \
    R(MeasurementOnOff, (, OTF2_MeasurementMode mode), note_measurement(mode))                     \
    R(MpiSend, (, uint32_t to, OTF2_CommRef comm, uint32_t tag, uint64_t length),                  \
      NEED(COMM, comm))                                                                            \
    R(MpiIsend, (, uint32_t to, OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t req),   \
      NEED(COMM, comm))                                                                            \
    R(MpiIsendComplete, (, uint64_t request), (void)0)                                             \
    R(MpiIrecvRequest, (, uint64_t request), (void)0)                                              \
    R(MpiRecv, (, uint32_t from, OTF2_CommRef comm, uint32_t tag, uint64_t length),                \
      NEED(COMM, comm))                                                                            \
    R(MpiIrecv, (, uint32_t from, OTF2_CommRef comm, uint32_t tag, uint64_t length, uint64_t req), \
      NEED(COMM, comm))                                                                            \
    R(MpiRequestTest, (, uint64_t request), (void)0)                                               \
    R(MpiRequestCancelled, (, uint64_t request), (void)0)                                          \
    R(MpiCollectiveBegin, (), (void)0)                                                             \
    R(MpiCollectiveEnd,                                                                            \
      (, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,                    \
       uint64_t received),                                                                         \
      NEED(COMM, comm))                                                                            \
    R(NonBlockingCollectiveRequest, (, uint64_t request), (void)0)                                 \
    R(NonBlockingCollectiveComplete,                                                               \
      (, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received, \
       uint64_t request),                                                                          \
      NEED(COMM, comm))                                                                            \
    R(CommCreate, (, OTF2_CommRef comm), NEED(COMM, comm))                                         \
    R(CommDestroy, (, OTF2_CommRef comm), NEED(COMM, comm))                                        \
    R(OmpFork, (, uint32_t threads), (void)0)                                                      \
    R(OmpJoin, (), (void)0)                                                                        \
    R(OmpAcquireLock, (, uint32_t lock, uint32_t order), (void)0)                                  \
    R(OmpReleaseLock, (, uint32_t lock, uint32_t order), (void)0)                                  \
    R(OmpTaskCreate, (, uint64_t task), (void)0)                                                   \
    R(OmpTaskSwitch, (, uint64_t task), (void)0)                                                   \
    R(OmpTaskComplete, (, uint64_t task), (void)0)                                                 \
    R(Metric,                                                                                      \
      (, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,                             \
       const OTF2_MetricValue *values),                                                            \
      NEED(METRIC, metric))                                                                        \
    R(ParameterString, (, OTF2_ParameterRef parameter, OTF2_StringRef string),                     \
      (NEED(PARAMETER, parameter), NEED(STRING, string)))                                          \
    R(ParameterInt, (, OTF2_ParameterRef parameter, int64_t value), NEED(PARAMETER, parameter))    \
    R(ParameterUnsignedInt, (, OTF2_ParameterRef parameter, uint64_t value),                       \
      NEED(PARAMETER, parameter))                                                                  \
    R(RmaWinCreate, (, OTF2_RmaWinRef win), NEED(RMA_WIN, win))                                    \
    R(RmaWinDestroy, (, OTF2_RmaWinRef win), NEED(RMA_WIN, win))                                   \
    R(RmaCollectiveBegin, (), (void)0)                                                             \
    R(RmaCollectiveEnd,                                                                            \
      (, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, uint32_t root,         \
       uint64_t sent, uint64_t received),                                                          \
      NEED(RMA_WIN, win))                                                                          \
    R(RmaGroupSync, (, OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, OTF2_GroupRef group),          \
      (NEED(RMA_WIN, win), NEED(GROUP, group)))                                                    \
    R(RmaRequestLock, (, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock, OTF2_LockType type),  \
      NEED(RMA_WIN, win))                                                                          \
    R(RmaAcquireLock, (, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock, OTF2_LockType type),  \
      NEED(RMA_WIN, win))                                                                          \
    R(RmaTryLock, (, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock, OTF2_LockType type),      \
      NEED(RMA_WIN, win))                                                                          \
    R(RmaReleaseLock, (, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock), NEED(RMA_WIN, win))  \
    R(RmaSync, (, OTF2_RmaWinRef win, uint32_t remote, OTF2_RmaSyncType type), NEED(RMA_WIN, win)) \
    R(RmaWaitChange, (, OTF2_RmaWinRef win), NEED(RMA_WIN, win))                                   \
    R(RmaPut, (, OTF2_RmaWinRef win, uint32_t remote, uint64_t bytes, uint64_t match),             \
      NEED(RMA_WIN, win))                                                                          \
    R(RmaGet, (, OTF2_RmaWinRef win, uint32_t remote, uint64_t bytes, uint64_t match),             \
      NEED(RMA_WIN, win))                                                                          \
    R(RmaAtomic,                                                                                   \
      (, OTF2_RmaWinRef win, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent,              \
       uint64_t received, uint64_t match),                                                         \
      NEED(RMA_WIN, win))                                                                          \
    R(RmaOpCompleteBlocking, (, OTF2_RmaWinRef win, uint64_t match), NEED(RMA_WIN, win))           \
    R(RmaOpCompleteNonBlocking, (, OTF2_RmaWinRef win, uint64_t match), NEED(RMA_WIN, win))        \
    R(RmaOpTest, (, OTF2_RmaWinRef win, uint64_t match), NEED(RMA_WIN, win))                       \
    R(RmaOpCompleteRemote, (, OTF2_RmaWinRef win, uint64_t match), NEED(RMA_WIN, win))             \
    R(ThreadFork, (, OTF2_Paradigm model, uint32_t threads), (void)0)                              \
    R(ThreadJoin, (, OTF2_Paradigm model), (void)0)                                                \
    R(ThreadTeamBegin, (, OTF2_CommRef team), NEED(COMM, team))                                    \
    R(ThreadTeamEnd, (, OTF2_CommRef team), NEED(COMM, team))                                      \
    R(ThreadAcquireLock, (, OTF2_Paradigm model, uint32_t lock, uint32_t order), (void)0)          \
    R(ThreadReleaseLock, (, OTF2_Paradigm model, uint32_t lock, uint32_t order), (void)0)          \
    R(ThreadTaskCreate, (, OTF2_CommRef team, uint32_t creator, uint32_t generation),              \
      NEED(COMM, team))                                                                            \
    R(ThreadTaskSwitch, (, OTF2_CommRef team, uint32_t creator, uint32_t generation),              \
      NEED(COMM, team))                                                                            \
    R(ThreadTaskComplete, (, OTF2_CommRef team, uint32_t creator, uint32_t generation),            \
      NEED(COMM, team))                                                                            \
    R(ThreadCreate, (, OTF2_CommRef contingent, uint64_t sequence), NEED(COMM, contingent))        \
    R(ThreadBegin, (, OTF2_CommRef contingent, uint64_t sequence), NEED(COMM, contingent))         \
    R(ThreadWait, (, OTF2_CommRef contingent, uint64_t sequence), NEED(COMM, contingent))          \
    R(ThreadEnd, (, OTF2_CommRef contingent, uint64_t sequence), NEED(COMM, contingent))           \
    R(ProgramBegin, (, OTF2_StringRef name, uint32_t count, const OTF2_StringRef *arguments),      \
      check_program_begin(&event, name, count, arguments))                                         \
    R(ProgramEnd, (, int64_t status), check_program_end(&event))                                   \
    R(Unknown, (), (void)0)

#define UNWRAP(...) __VA_ARGS__

#define DEFINE(name, parameters, checks)                                                           \
    static OTF2_CallbackCode on_##name(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,       \
                                       OTF2_AttributeList *attributes UNWRAP parameters)           \
    {                                                                                              \
        struct mpiot_event event;                                                                  \
        if (mpiot_event_start(&event, id, time, attributes, #name))                                \
            checks;                                                                                \
        return OTF2_CALLBACK_SUCCESS;                                                              \
    }

RECORDS(DEFINE)

#define SET(name, parameters, checks)                                                              \
    OTF2_GlobalEvtReaderCallbacks_Set##name##Callback(callbacks, on_##name);

void mpiot_check_records_set(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
    RECORDS(SET)
}
